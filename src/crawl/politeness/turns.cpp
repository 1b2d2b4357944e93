#include "crawl/politeness/turns.h"

#include <algorithm>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kPerDomainDefault = 4;

// Counts one waiter for the lifetime of this object, also if it is cancelled.
class Waiting {
public:
    explicit Waiting(std::size_t& count) : count_(count) { ++count_; }
    ~Waiting() { --count_; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    std::size_t& count_;
};

}  // namespace

Turn::~Turn() {
    if (turns_) turns_->give_back(keys_, pause_);
}

Turns::Turns(const Config& config, AddressTurns& addresses)
    : domains_(config.max_per_domain.value_or(std::max(kPerDomainDefault, config.max_per_host))),
      addresses_(addresses) {}

Co<std::optional<Turn>> Turns::take(TurnKeys keys, Places::Place& place, Standing standing,
                                    std::size_t waiting_max) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    // Always holds exactly what was granted so far, so that a return or a cancellation at any point
    // below gives it back.
    Turn turn(this, {.domain = keys.domain, .address = std::nullopt});
    std::optional<Waiting> waiting;
    // Leaves the place before the first wait. False: too many wait already.
    const auto steps_aside = [&] {
        if (waiting) return true;
        if (waiting_count_ >= waiting_max) return false;
        waiting.emplace(waiting_count_);
        place.leave();
        return true;
    };

    std::optional<TimePoint> start = try_take(keys.domain, loop.time());
    if (!start) {
        turn.turns_ = nullptr;  // Nothing is held yet, so nothing may be returned.
        if (!steps_aside()) co_return std::nullopt;
        start = co_await line_up(keys.domain);
        turn.turns_ = this;
    }
    if (keys.address) {
        std::optional<TimePoint> other = addresses_.try_take(*keys.address, *start);
        if (!other) {
            if (!steps_aside()) co_return std::nullopt;
            other = co_await addresses_.line_up(*keys.address);
        }
        turn.keys_.address = keys.address;
        start = std::max(*start, *other);
    }
    if (*start > loop.time()) {
        if (!steps_aside()) co_return std::nullopt;
        co_await aio::sleep(*start - loop.time());
    }
    if (waiting) {
        waiting.reset();
        co_await place.enter(standing);
    }
    co_return turn;
}

TimePoint Turns::earliest_start(const TurnKeys& keys, TimePoint now) const {
    const TimePoint domain = domains_.next_start(keys.domain, now);
    return keys.address ? std::max(domain, addresses_.next_start(*keys.address, now)) : domain;
}

// A start time without waiting. Empty if others wait: they come first.
std::optional<TimePoint> Turns::try_take(std::uint64_t domain, TimePoint now) {
    const auto line = lines_.find(domain);
    if (line != lines_.end() && line->second.waiting_count > 0) return std::nullopt;
    granted_.clear();
    if (domains_.grant(domain, 1, now, granted_) == 0) return std::nullopt;
    return granted_.front();
}

Co<TimePoint> Turns::line_up(std::uint64_t domain) {
    Line& line = lines_[domain];
    TimePoint start;
    {
        const Waiting waiting(line.waiting_count);
        start = co_await line.starts.get();
    }
    --line.granted_count;
    if (line.waiting_count == 0) lines_.erase(domain);
    co_return start;
}

// Returns a turn and grants the freed place to the next waiter of the domain, if one has no start
// time yet.
void Turns::give_back(const TurnKeys& keys, Duration pause) {
    const TimePoint now = aio::EventLoop::running().time();
    if (keys.address) addresses_.give_back(*keys.address, now, pause);
    domains_.give_back(keys.domain, now, pause);
    const auto line = lines_.find(keys.domain);
    if (line == lines_.end()) return;
    if (line->second.waiting_count == line->second.granted_count) return;
    granted_.clear();
    if (domains_.grant(keys.domain, 1, now, granted_) == 0) return;
    ++line->second.granted_count;
    line->second.starts.put_nowait(granted_.front());
}

}  // namespace weft::crawl
