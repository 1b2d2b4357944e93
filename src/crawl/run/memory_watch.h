#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "base/clock.h"
#include "base/error.h"

namespace weft::crawl {

// The process stayed above its memory limit for kPatience, although no new fetch began.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

// Watches the memory of the whole process. Each part of a crawl has a bound of its own
// (MemoryPlan); the watch covers what no part counts: the allocator's overhead, TLS, buffers inside
// system libraries. While memory is tight, no fetch begins and no loan grows (BodyCredit). Shared
// by all crawlers of the process; may be used from any thread.
class MemoryWatch {
public:
    // `measure` returns the bytes that the process holds. `release` returns free memory to the
    // system, and may be empty. Both are called under the watch's lock, on the caller's thread.
    MemoryWatch(std::uint64_t bytes_max, std::function<std::uint64_t()> measure,
                std::function<void()> release = {})
        : bytes_max_(bytes_max), measure_(std::move(measure)), release_(std::move(release)) {}

    // Whether the process is above bytes_max. Measures at most once per kInterval, so the answer
    // may be that old.
    bool is_tight(TimePoint now);

    // For a task that waits while memory is tight. Throws OutOfMemory once that has lasted for
    // kPatience. Does not measure: call is_tight() first.
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
