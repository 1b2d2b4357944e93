#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace weft::aio {

// Something that happens at a moment. Lives in its owner (an awaiter, a callback handle); while
// armed, the queue points to it, so it neither moves nor dies before it fires or is disarmed.
class Timer {
public:
    Timer() = default;
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // The moment has come; the timer is disarmed. Only schedules; never runs user code.
    virtual void fire() noexcept = 0;

    // The queue ends before the moment came; the timer is disarmed.
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
    Timer* previous_ = nullptr;  // Neighbours in its slot, while it is far.
    Timer* next_ = nullptr;
    std::uint32_t index_ = kDisarmed;  // In the heap, while it is near.
};

// The armed timers, earliest first, those of one moment in the order of arming.
//
// Nearly every timer is a deadline some seconds away that is disarmed long before it comes. So a
// timer that is far waits unsorted in the slot of its eighth of a second, a list that it enters and
// leaves at the cost of three pointers (20 ns with 100,000 live; in a heap alone 200). A slot whose
// time draws near is emptied into the heap, and only what is left of it gets sorted.
class TimerQueue {
public:
    bool empty() const { return heap_.empty() && far_count_ == 0; }
    std::size_t size() const { return heap_.size() + far_count_; }
    TimePoint next();  // REQUIRES: !empty()

    // Also moves a timer that is armed already.
    void arm(Timer& timer, TimePoint when);
    void disarm(Timer& timer) noexcept;

    // Fires every timer due at `now`, in order; timers armed meanwhile wait for the next call.
    void fire_due(TimePoint now);

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
    struct Slot {
        Timer* first = nullptr;
        Timer* last = nullptr;
    };

    // An eighth of a second each, together more than the longest usual deadline.
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
    void bring_near(std::int64_t number);          // All timers of slots up to this one.
    void push(Timer& timer);

    void place(std::size_t index, Entry entry) noexcept;
    void sift_up(std::size_t index, Entry entry) noexcept;
    void sift_down(std::size_t index, Entry entry) noexcept;
    void remove_at(std::size_t index) noexcept;

    // Indexed 4-ary. Holds what is before the slots' time, and what is past their last.
    std::vector<Entry> heap_;
    std::uint64_t order_ = 0;

    std::vector<Slot> slots_;  // Made with the first far timer.
    std::array<std::uint64_t, kSlotCount / kWordBits> used_{};
    std::int64_t first_far_ = 0;  // Number of the first slot that was not brought near.
    std::size_t far_count_ = 0;
};

}  // namespace weft::aio
