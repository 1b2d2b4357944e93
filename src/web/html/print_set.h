#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::web {

// A set of 64-bit hashes, to find links that a page repeats. It only grows. REQUIRES: the hashes
// have a secret seed (secret_seed()), because their low bits choose the slot.
class PrintSet {
public:
    // Returns false if the hash is in the set already.
    bool insert(std::uint64_t hash);

    bool empty() const { return count_ == 0; }
    void clear();
    std::size_t memory_bytes() const { return slots_.capacity() * sizeof(std::uint64_t); }

private:
    bool place(std::uint64_t hash);

    std::vector<std::uint64_t> slots_;  // Open addressing, at most half full. 0 is a free slot.
    std::size_t count_ = 0;
};

}  // namespace weft::web
