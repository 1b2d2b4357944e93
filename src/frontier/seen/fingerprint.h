#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace weft::frontier {

// Stands for a key in the seen set: 96 bits of XXH3-128 under the store's own random seed. Two of
// 10^9 URLs share one with probability 6e-12, which is taken for never: see
// docs/decisions/fingerprints.md. Never all zero.
struct [[gnu::packed]] Fingerprint {
    std::uint64_t high = 0;
    std::uint32_t low = 0;

    bool is_none() const { return high == 0 && low == 0; }

    friend bool operator==(const Fingerprint& a, const Fingerprint& b) {
        return a.high == b.high && a.low == b.low;
    }
    friend bool operator<(const Fingerprint& a, const Fingerprint& b) {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
};
static_assert(sizeof(Fingerprint) == 12);

inline Fingerprint fingerprint_of(std::string_view key, std::uint64_t seed) {
    const Hash128 hash = hash128(key, seed);
    const auto low = static_cast<std::uint32_t>(hash.low);
    return {hash.high, hash.high == 0 && low == 0 ? 1 : low};
}

}  // namespace weft::frontier
