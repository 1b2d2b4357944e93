#include "crawl/recent_set.h"

#include <algorithm>

namespace weft::crawl {
namespace {

constexpr std::size_t kSlotsMin = 64;

std::uint64_t nonzero(std::uint64_t hash) {
    return hash == 0 ? 1 : hash;
}

}  // namespace

RecentSet::RecentSet(std::size_t count_max) : half_max_(std::max<std::size_t>(1, count_max / 2)) {}

bool RecentSet::insert(std::uint64_t hash) {
    hash = nonzero(hash);
    if (young_.contains(hash)) return false;
    const bool is_new = !old_.contains(hash);
    if (young_.count >= half_max_) {
        std::swap(young_, old_);
        std::ranges::fill(young_.slots, 0);
        young_.count = 0;
    }
    young_.insert(hash);
    return is_new;
}

bool RecentSet::contains(std::uint64_t hash) const {
    hash = nonzero(hash);
    return young_.contains(hash) || old_.contains(hash);
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
    if ((count + 1) * 2 > slots.size()) grow();
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

void RecentSet::Table::grow() {
    const std::vector<std::uint64_t> before =
        std::exchange(slots, std::vector<std::uint64_t>(std::max(kSlotsMin, slots.size() * 2)));
    count = 0;
    for (const std::uint64_t hash : before) {
        if (hash != 0) insert(hash);
    }
}

}  // namespace weft::crawl
