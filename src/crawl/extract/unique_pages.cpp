#include "crawl/extract/unique_pages.h"

namespace weft::crawl {

bool UniquePages::add(std::uint64_t text_hash, std::uint64_t simhash, std::size_t word_count) {
    if (text_hash == 0) return true;
    if (!texts_.insert(text_hash)) return false;
    if (word_count < kNearWordsMin || simhash == 0) return true;
    // Which page it is like does not matter here; a mark says that there is one.
    return near_.find_or_add(simhash, "+").empty();
}

}  // namespace weft::crawl
