#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace weft::aio {

// Something that happens at a moment. Lives in its owner (an awaiter, a callback handle); while
// armed, the heap points to it, so it neither moves nor dies before it fires or is disarmed.
class Timer {
public:
    Timer() = default;
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // The moment has come; the timer is disarmed. Only schedules; never runs user code.
    virtual void fire() noexcept = 0;

    // The heap ends before the moment came; the timer is disarmed.
    virtual void abandon() noexcept {}

    bool is_armed() const { return index_ != kDisarmed; }
    TimePoint when() const { return when_; }

protected:
    ~Timer() = default;

private:
    friend class TimerHeap;
    static constexpr std::uint32_t kDisarmed = UINT32_MAX;

    TimePoint when_{};
    std::uint32_t index_ = kDisarmed;
};

// The armed timers, earliest first, those of one moment in the order of arming: an indexed 4-ary
// heap, so that a timeout that is disarmed or moved (as nearly all are) costs a few comparisons and
// no dead entries.
class TimerHeap {
public:
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    TimePoint next() const { return heap_.front().when; }  // REQUIRES: !empty()

    // Also moves a timer that is armed already.
    void arm(Timer& timer, TimePoint when);
    void disarm(Timer& timer) noexcept;

    // Fires every timer due at `now`, in order; timers armed meanwhile wait for the next call.
    void fire_due(TimePoint now) noexcept;

    void abandon_all() noexcept;

private:
    struct Entry {
        TimePoint when;
        std::uint64_t order;
        Timer* timer;
        bool operator<(const Entry& other) const {
            return when != other.when ? when < other.when : order < other.order;
        }
    };

    void place(std::size_t index, Entry entry) noexcept;
    void sift_up(std::size_t index, Entry entry) noexcept;
    void sift_down(std::size_t index, Entry entry) noexcept;
    void remove_at(std::size_t index) noexcept;

    std::vector<Entry> heap_;
    std::uint64_t order_ = 0;
};

}  // namespace weft::aio
