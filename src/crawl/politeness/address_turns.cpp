#include "crawl/politeness/address_turns.h"

#include <algorithm>

#include "aio/loop/loop.h"

namespace weft::crawl {

using aio::Co;

// A place in a line, for a scope. Left before a start time was taken, it goes to the next.
class AddressTurns::Place {
public:
    Place(AddressTurns& turns, std::uint64_t key) : turns_(turns), key_(key) {
        const std::lock_guard lock(turns_.mutex_);
        if (turns_.lines_.contains(key_) || !(waiter_.start = turns_.grant(key_, now()))) {
            turns_.lines_[key_].push_back(&waiter_);
        }
    }
    ~Place() {
        if (is_taken_) return;
        const std::lock_guard lock(turns_.mutex_);
        if (waiter_.start) {
            turns_.clock_.give_back(key_, now(), Duration::zero());
            turns_.serve_line(key_, now());
            return;
        }
        std::deque<Waiter*>& line = turns_.lines_[key_];
        std::erase(line, &waiter_);
        if (line.empty()) turns_.lines_.erase(key_);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    Co<TimePoint> start() {
        const std::shared_ptr<aio::LoopSignal> signal = pending();
        if (signal) co_await signal->wait();
        is_taken_ = true;  // From here on nobody else looks at the waiter.
        co_return *waiter_.start;
    }

private:
    static TimePoint now() { return aio::EventLoop::running().time(); }

    // What is to be waited for, if there is no start time yet.
    std::shared_ptr<aio::LoopSignal> pending() {
        const std::lock_guard lock(turns_.mutex_);
        return waiter_.start ? nullptr : waiter_.signal;
    }

    AddressTurns& turns_;
    std::uint64_t key_;
    Waiter waiter_;
    bool is_taken_ = false;
};

std::optional<TimePoint> AddressTurns::grant(std::uint64_t key, TimePoint now) {
    granted_.clear();
    if (clock_.grant(key, 1, now, granted_) == 0) return std::nullopt;
    return granted_.front();
}

std::optional<TimePoint> AddressTurns::try_take(std::uint64_t key, TimePoint now) {
    const std::lock_guard lock(mutex_);
    if (lines_.contains(key)) return std::nullopt;  // Nobody jumps a line.
    return grant(key, now);
}

Co<TimePoint> AddressTurns::line_up(std::uint64_t key) {
    Place place(*this, key);
    co_return co_await place.start();
}

void AddressTurns::give_back(std::uint64_t key, TimePoint now, Duration pause) {
    const std::lock_guard lock(mutex_);
    clock_.give_back(key, now, pause);
    serve_line(key, now);
}

// Whoever is in a line still waits, so their loop lives.
void AddressTurns::serve_line(std::uint64_t key, TimePoint now) {
    const auto found = lines_.find(key);
    if (found == lines_.end()) return;
    const std::optional<TimePoint> start = grant(key, now);
    if (!start) return;
    Waiter& first = *found->second.front();
    first.start = start;
    aio::LoopSignal::give(first.signal);
    found->second.pop_front();
    if (found->second.empty()) lines_.erase(found);
}

TimePoint AddressTurns::next_start(std::uint64_t key, TimePoint now) const {
    const std::lock_guard lock(mutex_);
    return clock_.next_start(key, now);
}

}  // namespace weft::crawl
