#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::crawl {

// A set of 64-bit hashes with a bound: the older half is forgotten when it is full, so a hash that
// comes up now and then stays. Says yes only to what was inserted.
class RecentSet {
public:
    explicit RecentSet(std::size_t count_max);

    // False if it was there.
    bool insert(std::uint64_t hash);
    bool contains(std::uint64_t hash) const;

    // That many are about to be inserted: room for them is made at once.
    void expect(std::size_t count);

    // It is about to be asked for: its place is fetched from memory meanwhile.
    void prefetch(std::uint64_t hash) const;

private:
    // Open addressing, at most half full; 0 marks a free slot.
    struct Table {
        std::vector<std::uint64_t> slots;
        std::size_t count = 0;

        bool insert(std::uint64_t hash);
        bool contains(std::uint64_t hash) const;
        void resize(std::size_t slot_count);
    };

    std::size_t half_max_;
    Table young_;
    Table old_;
};

}  // namespace weft::crawl
