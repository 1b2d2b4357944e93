#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/zero_array.h"
#include "frontier/seen/fingerprint.h"

namespace weft::frontier {

// Many fingerprints in memory that seldom change, in half of the memory of a SeenTable: eight and a
// half bytes each, up to a fixed number of bytes.
//
// They are in ascending order. The first bits of a fingerprint choose its bucket and are not
// stored; the next 64 bits are stored. So a fingerprint that is absent is taken for a present one
// with probability 2^-64 for each entry of its bucket: see docs/decisions/fingerprints.md.
//
// If there is no room for all, it covers only the lowest. The range of all fingerprints is divided
// into kStepCount equal steps, and the first step_count() steps are covered.
//
// Invariant: of the covered fingerprints it holds every one that was given, of the others none.
class PackedPrints {
public:
    static constexpr std::size_t kStepCount = 64;

    // Memory is allocated when it is first used.
    explicit PackedPrints(std::size_t bytes_max);

    // The memory that `count` fingerprints take.
    std::size_t bytes_for(std::size_t count) const;

    std::size_t step_count() const { return step_count_; }
    bool covers(const Fingerprint& print) const { return step_of(print) < step_count_; }

    // The first value of Fingerprint::high that is not covered. REQUIRES: step_count() <
    // kStepCount.
    std::uint64_t first_uncovered() const { return std::uint64_t{step_count_} << kStepShift; }

    // From now on covers at most this many steps.
    void cover(std::size_t step_count);

    // Adds a fingerprint behind all others. If it is not covered, it is ignored. If there is no
    // room, fewer steps are covered. Call end() after the last one. REQUIRES: ascending order.
    void append(const Fingerprint& print);
    void end();

    // Adds many at their places, in one pass over all. REQUIRES: ascending order.
    void merge(std::span<const Fingerprint> prints);

    // These bring the memory that contains() reads into the cache: call prefetch() for all links of
    // a page, then prefetch_place() for all, then contains() for each. REQUIRES, for all three:
    // covers(print).
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
    std::size_t bucket_ = 0;         // The bucket that append() has reached.
    ZeroArray<std::uint32_t> ends_;  // Of each bucket: where it ends in `rests_`.
    ZeroArray<std::uint64_t> rests_;
};

}  // namespace weft::frontier
