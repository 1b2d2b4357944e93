#pragma once

#include <cstddef>
#include <cstdint>

#include "base/zero_array.h"

namespace weft::cluster {

// The links of which Redis has confirmed that it knows them, in bounded memory. A page has some
// hundred links, of which two or three are new: a hit here saves the call.
//
// Each is remembered with a `salt`, the term in which it was confirmed: when the term has ended,
// it is not found any more, so a write that was lost cannot hide a URL for longer than that.
//
// A link is in one of four places; a new one takes the place of another when all are taken. Used on
// one thread.
class KnownLinks {
public:
    explicit KnownLinks(std::size_t memory_bytes);

    bool contains(std::uint64_t fingerprint, std::uint64_t salt) const;
    void insert(std::uint64_t fingerprint, std::uint64_t salt);

    std::uint64_t hit_count() const { return hit_count_; }
    std::uint64_t miss_count() const { return miss_count_; }

private:
    static constexpr std::size_t kWays = 4;

    ZeroArray<std::uint64_t> places_;  // 0: empty.
    std::size_t set_count_;            // A power of two.
    mutable std::uint64_t hit_count_ = 0;
    mutable std::uint64_t miss_count_ = 0;
};

}  // namespace weft::cluster
