#include "cluster/known_links.h"

#include <algorithm>
#include <bit>

namespace weft::cluster {

namespace {

// One-to-one, so two links never share a mark within a term (splitmix64).
std::uint64_t mark_of(std::uint64_t fingerprint, std::uint64_t salt) {
    std::uint64_t x = fingerprint ^ (salt * 0x9e3779b97f4a7c15U);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    x ^= x >> 31;
    return x == 0 ? 1 : x;
}

}  // namespace

KnownLinks::KnownLinks(std::size_t memory_bytes)
    : set_count_(std::bit_floor(
          std::max<std::size_t>(1, memory_bytes / (kWays * sizeof(std::uint64_t))))) {
    places_ = ZeroArray<std::uint64_t>(set_count_ * kWays);
}

bool KnownLinks::contains(std::uint64_t fingerprint, std::uint64_t salt) const {
    const std::uint64_t mark = mark_of(fingerprint, salt);
    const std::size_t first = (mark & (set_count_ - 1)) * kWays;
    for (std::size_t i = 0; i < kWays; ++i) {
        if (places_[first + i] == mark) {
            ++hit_count_;
            return true;
        }
    }
    ++miss_count_;
    return false;
}

// The newest is first; the oldest of the four leaves.
void KnownLinks::insert(std::uint64_t fingerprint, std::uint64_t salt) {
    const std::uint64_t mark = mark_of(fingerprint, salt);
    const std::size_t first = (mark & (set_count_ - 1)) * kWays;
    std::size_t at = 0;
    while (at < kWays - 1 && places_[first + at] != mark && places_[first + at] != 0) ++at;
    for (; at > 0; --at) places_[first + at] = places_[first + at - 1];
    places_[first] = mark;
}

}  // namespace weft::cluster
