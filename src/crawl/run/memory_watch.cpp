#include "crawl/run/memory_watch.h"

#include <fmt/format.h>

#include "base/units.h"

namespace weft::crawl {
namespace {

constexpr Duration kReleaseInterval = 200ms;  // A release costs some milliseconds.

}  // namespace

bool MemoryWatch::is_tight(TimePoint now) {
    const std::lock_guard lock(mutex_);
    if (now >= next_measure_) {
        next_measure_ = now + kInterval;
        bool is_over = measure_() > bytes_max_;
        if (is_over && release_ && now >= next_release_) {
            next_release_ = now + kReleaseInterval;
            release_();  // Free memory that the allocator still holds may be all that is over.
            is_over = measure_() > bytes_max_;
        }
        if (is_over && !is_tight_) tight_since_ = now;
        is_tight_ = is_over;
    }
    return is_tight_;
}

void MemoryWatch::check(TimePoint now) const {
    const std::lock_guard lock(mutex_);
    if (!is_tight_ || now - tight_since_ < kPatience) return;
    throw OutOfMemory(fmt::format("the process holds more than the {} that --memory allows",
                                  human_bytes(bytes_max_)));
}

}  // namespace weft::crawl
