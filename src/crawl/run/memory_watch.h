#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "base/clock.h"
#include "base/error.h"

namespace weft::crawl {

// What the process holds stays above what it may hold, though nothing more is begun.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

// Watches what the process holds as a whole. The parts of a crawl are bounded each for itself
// (MemoryPlan); this is for what no part counts: the allocator's own, TLS, buffers of the system's
// libraries. While memory is tight no fetch begins and no loan grows (BodyCredit). For any thread.
class MemoryWatch {
public:
    // `measure` gives the bytes that the process holds; `release` gives back to the system what is
    // free but held, and may be empty. Both for any thread.
    MemoryWatch(std::uint64_t bytes_max, std::function<std::uint64_t()> measure,
                std::function<void()> release = {})
        : bytes_max_(bytes_max), measure_(std::move(measure)), release_(std::move(release)) {}

    // Measures now and then only.
    bool is_tight(TimePoint now);

    // For who waits while it is. Throws OutOfMemory once it has been for kPatience.
    void check(TimePoint now) const;

    std::uint64_t bytes_max() const { return bytes_max_; }

    static constexpr Duration kInterval = 10ms;
    static constexpr Duration kPatience = 30s;

private:
    std::uint64_t bytes_max_;
    std::function<std::uint64_t()> measure_;
    std::function<void()> release_;
    mutable std::mutex mutex_;
    TimePoint next_measure_ = TimePoint::min();
    TimePoint tight_since_{};
    TimePoint next_release_ = TimePoint::min();
    bool is_tight_ = false;
};

}  // namespace weft::crawl
