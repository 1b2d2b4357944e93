#include "frontier/seen/packed_prints.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/assert.h"

namespace weft::frontier {
namespace {

// About this many fingerprints share a bucket, so a bucket fills about one cache line.
constexpr std::size_t kPerBucket = 8;

// At least one bucket for each step (kStepCount), so that cover() can cut between two buckets.
constexpr unsigned kBucketBitsMin = 6;
constexpr unsigned kBucketBitsMax = 28;

// The ends of buckets are 32 bits.
constexpr std::size_t kCountMax = UINT32_MAX;

unsigned bucket_bits_for(std::size_t bytes_max) {
    const std::size_t buckets = bytes_max / (kPerBucket * sizeof(std::uint64_t)) + 1;
    const auto bits = static_cast<unsigned>(std::bit_width(buckets) - 1);
    return std::clamp(bits, kBucketBitsMin, kBucketBitsMax);
}

}  // namespace

PackedPrints::PackedPrints(std::size_t bytes_max) : bucket_bits_(bucket_bits_for(bytes_max)) {
    const std::size_t ends = sizeof(std::uint32_t) << bucket_bits_;
    const std::size_t room = bytes_max - std::min(bytes_max, ends);
    count_max_ = std::min(room / sizeof(std::uint64_t), kCountMax);
}

std::size_t PackedPrints::bytes_for(std::size_t count) const {
    return count * sizeof(std::uint64_t) + (sizeof(std::uint32_t) << bucket_bits_);
}

void PackedPrints::make_room() {
    if (ends_.size() > 0) return;
    ends_ = ZeroArray<std::uint32_t>(std::size_t{1} << bucket_bits_);
    rests_ = ZeroArray<std::uint64_t>(count_max_ + 1);
}

void PackedPrints::cover(std::size_t step_count) {
    if (step_count >= step_count_) return;
    step_count_ = step_count;
    if (step_count_ == 0) {
        ends_ = {};
        rests_ = {};
        count_ = 0;
        return;
    }
    if (ends_.size() == 0 || bucket_ < bucket_end()) return;  // append() has not come that far.
    count_ = begin_of(bucket_end());
    rests_.release_from(count_);
    bucket_ = bucket_end();
}

void PackedPrints::append(const Fingerprint& print) {
    if (!covers(print)) return;
    if (count_ == count_max_) {
        // No room: this step is given up as a whole, as a part of a step must not be covered.
        cover(step_of(print));
        return;
    }
    make_room();
    const std::size_t bucket = bucket_of(print);
    WEFT_ASSERT(bucket >= bucket_);
    while (bucket_ < bucket) ends_[bucket_++] = static_cast<std::uint32_t>(count_);
    rests_[count_++] = rest_of(print);
}

void PackedPrints::end() {
    if (step_count_ == 0) return;
    make_room();
    while (bucket_ < bucket_end()) ends_[bucket_++] = static_cast<std::uint32_t>(count_);
}

// Works from the back, so that one array is enough: all entries behind the last new one move by the
// number of new ones, those before it by one place less, and so on.
void PackedPrints::merge(std::span<const Fingerprint> prints) {
    const auto first_uncovered = std::ranges::partition_point(
        prints, [this](const Fingerprint& each) { return covers(each); });
    std::size_t left = static_cast<std::size_t>(first_uncovered - prints.begin());
    if (left == 0) return;
    if (count_ + left > count_max_) {
        cover(step_count_ - 1);
        return merge(prints);
    }
    end();
    std::size_t moved = count_;         // From here on all entries are in place,
    std::size_t bucket = bucket_end();  // and the ends of the buckets from this one on are right.
    count_ += left;
    while (left > 0) {
        const std::size_t last = bucket_of(prints[left - 1]);
        std::size_t from = ends_[last];
        std::memmove(&rests_[from + left], &rests_[from], (moved - from) * sizeof(std::uint64_t));
        while (bucket > last) ends_[--bucket] += static_cast<std::uint32_t>(left);
        const std::size_t begin = begin_of(last);
        while (left > 0 && bucket_of(prints[left - 1]) == last) {
            const std::uint64_t rest = rest_of(prints[left - 1]);
            while (from > begin && rests_[from - 1] > rest) {
                --from;
                rests_[from + left] = rests_[from];
            }
            rests_[from + --left] = rest;
        }
        moved = from;
    }
}

void PackedPrints::prefetch_place(const Fingerprint& print) const {
    const std::size_t bucket = bucket_of(print);
    const std::size_t begin = begin_of(bucket);
    const auto size = static_cast<unsigned __int128>(ends_[bucket] - begin);
    __builtin_prefetch(&rests_[begin + static_cast<std::size_t>(size * rest_of(print) >> 64)]);
}

// Hash values are evenly distributed, so a fingerprint stands very near the place that its own
// value points to: the search starts there and moves by a few places.
bool PackedPrints::contains(const Fingerprint& print) const {
    if (ends_.size() == 0) return false;
    const std::size_t bucket = bucket_of(print);
    const std::uint64_t rest = rest_of(print);
    const std::size_t begin = begin_of(bucket);
    const std::size_t end = ends_[bucket];
    if (begin == end) return false;
    const auto size = static_cast<unsigned __int128>(end - begin);
    std::size_t place = begin + static_cast<std::size_t>(size * rest >> 64);
    while (place > begin && rests_[place] > rest) --place;
    while (place + 1 < end && rests_[place] < rest) ++place;
    return rests_[place] == rest;
}

}  // namespace weft::frontier
