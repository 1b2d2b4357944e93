#include "crawl/politeness/address_turns.h"

#include <algorithm>

#include "aio/loop/loop.h"

namespace weft::crawl {

using aio::Co;

// A waiter's position in the line of its address, for the lifetime of this object. If the waiter is
// cancelled, the destructor removes it from the line, or passes its grant on to the next waiter.
class AddressTurns::AddressPlace {
public:
    AddressPlace(AddressTurns& turns, std::uint64_t key) : turns_(turns), key_(key) {
        const std::lock_guard lock(turns_.mutex_);
        if (turns_.lines_.contains(key_) || !(waiter_.start = turns_.grant(key_, now()))) {
            turns_.lines_[key_].push_back(&waiter_);
        }
    }
    ~AddressPlace() {
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
    AddressPlace(const AddressPlace&) = delete;
    AddressPlace& operator=(const AddressPlace&) = delete;

    Co<TimePoint> start() {
        const std::shared_ptr<aio::LoopSignal> signal = pending();
        if (signal) co_await signal->wait();
        is_taken_ = true;  // The waiter is out of the line: no other thread uses it any more.
        co_return *waiter_.start;
    }

private:
    static TimePoint now() { return aio::EventLoop::running().time(); }

    // The signal to wait for, or null if the start time has been granted.
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
    if (lines_.contains(key)) return std::nullopt;  // The waiters come first.
    return grant(key, now);
}

Co<TimePoint> AddressTurns::line_up(std::uint64_t key) {
    AddressPlace place(*this, key);
    co_return co_await place.start();
}

void AddressTurns::give_back(std::uint64_t key, TimePoint now, Duration pause) {
    const std::lock_guard lock(mutex_);
    clock_.give_back(key, now, pause);
    serve_line(key, now);
}

// Grants a free place to the first waiter. A waiter in the line is suspended in line_up(), so its
// loop is alive.
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
