#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace weft::frontier {

// Stands for a URL's key in the seen set: 96 bits of XXH3-128, seeded with the store's own random
// number. Among 10^9 URLs, two share a fingerprint with probability 6e-12, which is treated as
// never: see docs/decisions/fingerprints.md. Never all zero; zero marks an empty place (is_none()).
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
