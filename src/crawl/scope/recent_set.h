#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::crawl {

// A set of at most `count_max` 64-bit hashes. When it is full, the older half is forgotten; a hash
// that is inserted again now and then stays. It has no false positives: contains() is true only for
// hashes that were inserted. Not thread-safe.
class RecentSet {
public:
    explicit RecentSet(std::size_t count_max);

    // False if the hash was there already.
    bool insert(std::uint64_t hash);
    bool contains(std::uint64_t hash) const;

    // Reserves room for `count` insertions that follow.
    void expect(std::size_t count);

    // Starts to load the slot of a hash from memory, for a lookup that follows soon.
    void prefetch(std::uint64_t hash) const;

private:
    // A hash table with open addressing, at most half full. The number of slots is a power of two;
    // 0 marks a free slot.
    struct Table {
        std::vector<std::uint64_t> slots;
        std::size_t count = 0;

        bool insert(std::uint64_t hash);
        bool contains(std::uint64_t hash) const;
        void resize(std::size_t slot_count);
    };

    std::size_t half_max_;
    Table young_;  // Takes all insertions. When it is full, it becomes old_.
    Table old_;    // Only looked up.
};

}  // namespace weft::crawl
