#include "crawl/scope/recent_set.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace weft::crawl {
namespace {

constexpr std::size_t kSlotsMin = 64;

// 0 marks a free slot, so the hash 0 is stored as 1.
std::uint64_t nonzero(std::uint64_t hash) {
    return hash == 0 ? 1 : hash;
}

}  // namespace

RecentSet::RecentSet(std::size_t count_max) : half_max_(std::max<std::size_t>(1, count_max / 2)) {}

bool RecentSet::insert(std::uint64_t hash) {
    hash = nonzero(hash);
    // Looked up before old_ may be dropped. A hash that is found only there is inserted again and
    // so survives the next change.
    const bool is_old = old_.count > 0 && old_.contains(hash);
    if (young_.count >= half_max_) {
        if (young_.contains(hash)) return false;
        std::swap(young_, old_);  // The slots of the old table are used again.
        std::ranges::fill(young_.slots, 0);
        young_.count = 0;
    }
    return young_.insert(hash) && !is_old;
}

bool RecentSet::contains(std::uint64_t hash) const {
    hash = nonzero(hash);
    return young_.contains(hash) || (old_.count > 0 && old_.contains(hash));
}

void RecentSet::expect(std::size_t count) {
    const std::size_t wanted = 2 * std::min(half_max_, young_.count + count);
    if (wanted > young_.slots.size()) young_.resize(std::bit_ceil(std::max(kSlotsMin, wanted)));
}

void RecentSet::prefetch(std::uint64_t hash) const {
    for (const Table* table : {&young_, &old_}) {
        if (table->count > 0) {
            __builtin_prefetch(&table->slots[nonzero(hash) & (table->slots.size() - 1)]);
        }
    }
}

bool RecentSet::Table::contains(std::uint64_t hash) const {
    if (slots.empty()) return false;
    const std::size_t mask = slots.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        if (slots[i] == hash) return true;
        if (slots[i] == 0) return false;
    }
}

bool RecentSet::Table::insert(std::uint64_t hash) {
    if ((count + 1) * 2 > slots.size()) resize(std::max(kSlotsMin, slots.size() * 2));
    const std::size_t mask = slots.size() - 1;
    std::size_t i = hash & mask;
    while (slots[i] != 0) {
        if (slots[i] == hash) return false;
        i = (i + 1) & mask;
    }
    slots[i] = hash;
    ++count;
    return true;
}

void RecentSet::Table::resize(std::size_t slot_count) {
    const std::vector<std::uint64_t> before =
        std::exchange(slots, std::vector<std::uint64_t>(slot_count));
    count = 0;
    for (const std::uint64_t hash : before) {
        if (hash != 0) insert(hash);
    }
}

}  // namespace weft::crawl
