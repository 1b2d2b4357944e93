#include "crawl/politeness/start_clock.h"

#include <algorithm>

#include "base/assert.h"

namespace weft::crawl {

std::size_t StartClock::grant(std::uint64_t key, std::size_t count, TimePoint now,
                              std::vector<TimePoint>& times) {
    if (entries_.size() >= sweep_at_) sweep(now);  // At doubled sizes only: constant on average.
    KeyClock& entry = entries_[key];
    const std::size_t granted = std::min(count, places_max_ - entry.held_count);
    for (std::size_t i = 0; i < granted; ++i) {
        const TimePoint start = std::max(now, entry.next_start);
        entry.next_start = start + entry.spacing;
        times.push_back(start);
    }
    entry.held_count += granted;
    return granted;
}

void StartClock::give_back(std::uint64_t key, TimePoint now, Duration pause) {
    const auto found = entries_.find(key);
    WEFT_ASSERT(found != entries_.end() && found->second.held_count > 0);
    KeyClock& entry = found->second;
    --entry.held_count;
    entry.spacing = pause / static_cast<Duration::rep>(places_max_);
    entry.next_start = std::max(entry.next_start, now + entry.spacing);
    if (entry.held_count == 0 && entry.next_start <= now) entries_.erase(found);
}

TimePoint StartClock::next_start(std::uint64_t key, TimePoint now) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? now : std::max(now, found->second.next_start);
}

void StartClock::sweep(TimePoint now) {
    std::erase_if(entries_, [now](const auto& row) {
        return row.second.held_count == 0 && row.second.next_start <= now;
    });
    sweep_at_ = std::max<std::size_t>(1'024, entries_.size() * 2);
}

}  // namespace weft::crawl
