#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/zero_array.h"
#include "frontier/seen/fingerprint.h"

namespace weft::frontier {

// Many fingerprints in memory that change seldom, in half of what a SeenTable takes: eight bytes
// and a half each, up to a number of bytes.
//
// They stand in ascending order. The first bits of one choose its bucket and are not kept; the next
// 64 are. So one that is not here is taken for one that is with a chance of 2^-64 for each in its
// bucket: see docs/decisions/fingerprints.md.
//
// If there is not room for all, it covers the lowest: so many of kStepCount equal parts of all that
// fingerprints can be. Of those it holds every one, of the others none.
class PackedPrints {
public:
    static constexpr std::size_t kStepCount = 64;

    // Memory is taken as it is used.
    explicit PackedPrints(std::size_t bytes_max);

    // What so many take.
    std::size_t bytes_for(std::size_t count) const;

    std::size_t step_count() const { return step_count_; }
    bool covers(const Fingerprint& print) const { return step_of(print) < step_count_; }

    // The key from which on nothing is covered. REQUIRES: not all is.
    std::uint64_t first_uncovered() const { return std::uint64_t{step_count_} << kStepShift; }

    // Covers no more than this from now on.
    void cover(std::size_t step_count);

    // Puts one in behind all others; those not covered are passed over, and where there is no more
    // room less is covered. Then end().
    void append(const Fingerprint& print);
    void end();

    // Puts many in, in ascending order, where they belong: one pass over all.
    void merge(std::span<const Fingerprint> prints);

    // To bring what contains() looks at into the cache: both steps for all links of a page, then
    // contains() for each. REQUIRES of all three: covers(print).
    void prefetch(const Fingerprint& print) const { __builtin_prefetch(&ends_[bucket_of(print)]); }
    void prefetch_place(const Fingerprint& print) const;
    bool contains(const Fingerprint& print) const;

    std::size_t size() const { return count_; }
    std::size_t memory_bytes() const {
        return ends_.memory_bytes() + count_ * sizeof(std::uint64_t);
    }

private:
    static constexpr unsigned kStepShift = 58;
    static_assert(kStepCount << kStepShift == 0 && kStepCount == 1U << (64 - kStepShift));

    static std::size_t step_of(const Fingerprint& print) { return print.high >> kStepShift; }
    std::size_t bucket_of(const Fingerprint& print) const {
        return print.high >> (64 - bucket_bits_);
    }
    std::uint64_t rest_of(const Fingerprint& print) const {
        return print.high << bucket_bits_ | print.low >> (32 - bucket_bits_);
    }
    std::size_t begin_of(std::size_t bucket) const { return bucket == 0 ? 0 : ends_[bucket - 1]; }
    std::size_t bucket_end() const { return step_count_ << (bucket_bits_ - (64 - kStepShift)); }
    void make_room();

    unsigned bucket_bits_;
    std::size_t count_max_;
    std::size_t step_count_ = kStepCount;
    std::size_t count_ = 0;
    std::size_t bucket_ = 0;         // The one that append() has reached.
    ZeroArray<std::uint32_t> ends_;  // Of the buckets, among all fingerprints.
    ZeroArray<std::uint64_t> rests_;
};

}  // namespace weft::frontier
