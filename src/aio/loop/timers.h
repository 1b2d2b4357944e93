#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/chain.h"
#include "base/clock.h"

namespace weft::aio {

// Something that happens at a point in time. It lives in its owner (an awaiter, a callback). While
// it is armed, the queue points to it, so it must not move or die before it fires or is disarmed.
class Timer : public ChainLink<Timer> {  // In its slot, while it is far away.
public:
    Timer() = default;
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // The time has come; the timer is disarmed. It may only schedule, and never runs user code.
    virtual void fire() noexcept = 0;

    // The queue is destroyed before the time came; the timer is disarmed.
    virtual void abandon() noexcept {}

    bool is_armed() const { return index_ != kDisarmed; }
    TimePoint when() const { return when_; }

protected:
    ~Timer() = default;

private:
    friend class TimerQueue;
    static constexpr std::uint32_t kDisarmed = UINT32_MAX;
    static constexpr std::uint32_t kFar = UINT32_MAX - 1;

    TimePoint when_{};
    std::uint32_t index_ = kDisarmed;  // Position in the heap, while it is near.
};

// The armed timers, earliest first; timers of the same time in the order of arming. Owned by the
// loop; does not own the timers.
//
// Nearly every timer is a deadline some seconds away that is disarmed long before it passes. So a
// far timer waits unsorted in the slot of its eighth of a second. Entering or leaving that list
// costs three pointers (20 ns with 100,000 live timers; 200 ns in a heap alone). When the time of a
// slot is near, its timers move to the heap, and only those that are still armed get sorted.
class TimerQueue {
public:
    bool empty() const { return heap_.empty() && far_count_ == 0; }
    std::size_t size() const { return heap_.size() + far_count_; }
    TimePoint next();  // REQUIRES: !empty()

    // Arms the timer, or moves it if it is armed already.
    void arm(Timer& timer, TimePoint when);
    void disarm(Timer& timer) noexcept;

    // Fires every timer that is due at `now`, in order. Timers armed meanwhile wait for the next
    // call.
    void fire_due(TimePoint now);

    void abandon_all() noexcept;

private:
    // A timer in the heap. `order` keeps timers of the same time in the order of arming.
    struct ArmedTimer {
        TimePoint when;
        std::uint64_t order;
        Timer* timer;
        bool operator<(const ArmedTimer& other) const {
            return when != other.when ? when < other.when : order < other.order;
        }
    };

    // A slot is 2^27 ns, about an eighth of a second; together they cover more than the longest
    // usual deadline.
    static constexpr int kSlotBits = 27;
    static constexpr std::size_t kSlotCount = 1024;
    static constexpr std::size_t kWordBits = 64;

    static std::int64_t slot_number(TimePoint when) {
        return when.time_since_epoch().count() >> kSlotBits;
    }
    static std::size_t place_of(std::int64_t number) {
        return static_cast<std::size_t>(number) % kSlotCount;
    }

    bool is_far(std::int64_t number) const {
        return number >= first_far_ && number - first_far_ < static_cast<std::int64_t>(kSlotCount);
    }
    void link(Timer& timer, std::int64_t number);
    void unlink(Timer& timer) noexcept;
    std::int64_t next_used_slot() const noexcept;  // REQUIRES: far_count_ > 0
    // Moves all timers of the slots up to this one to the heap.
    void bring_near(std::int64_t number);
    void push(Timer& timer);

    void place(std::size_t index, ArmedTimer entry) noexcept;
    void sift_up(std::size_t index, ArmedTimer entry) noexcept;
    void sift_down(std::size_t index, ArmedTimer entry) noexcept;
    void remove_at(std::size_t index) noexcept;

    // A 4-ary heap whose timers know their index. Holds the timers before the first far slot and
    // those after the last.
    std::vector<ArmedTimer> heap_;
    std::uint64_t order_ = 0;

    // The far timers of each slot, in the order of arming. Allocated with the first of them.
    std::vector<Chain<Timer>> slots_;
    // One bit per slot: whether it holds a timer.
    std::array<std::uint64_t, kSlotCount / kWordBits> used_{};
    std::int64_t first_far_ = 0;  // Number of the first slot that was not moved to the heap.
    std::size_t far_count_ = 0;
};

}  // namespace weft::aio
