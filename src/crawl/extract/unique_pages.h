#pragma once

#include <cstdint>
#include <string_view>

#include "crawl/scope/near_duplicates.h"
#include "crawl/scope/recent_set.h"

namespace weft::crawl {

// Remembers the texts of pages, to find copies: the same text, or nearly the same by simhash, as a
// crawl finds near duplicates. Bounded: of the oldest texts copies are no longer found. Some 100
// bytes a text.
class UniquePages {
public:
    static constexpr std::size_t kTextCountMax = 4'000'000;
    static constexpr std::size_t kNearCountMax = 1'000'000;

    // Shorter texts are copies only if they are the same: they have too few words to compare.
    static constexpr std::size_t kNearWordsMin = 16;  // As in a crawl.

    // False if it is a copy. `text_hash` and `simhash` are 0 for a page without text, which is
    // never a copy.
    bool add(std::uint64_t text_hash, std::uint64_t simhash, std::size_t word_count);

private:
    RecentSet texts_{kTextCountMax};
    NearDuplicates near_{kNearCountMax};
};

}  // namespace weft::crawl
