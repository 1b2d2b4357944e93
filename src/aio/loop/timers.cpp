#include "aio/loop/timers.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace weft::aio {

namespace {
constexpr std::size_t kArity = 4;
}

TimePoint TimerQueue::next() {
    // A timer of the first used slot may be earlier than the first of the heap, so the slot has to
    // be sorted in before.
    if (far_count_ > 0) {
        const std::int64_t number = next_used_slot();
        if (heap_.empty() || slot_number(heap_.front().when) >= number) bring_near(number);
    }
    WEFT_ASSERT(!heap_.empty());
    return heap_.front().when;
}

void TimerQueue::arm(Timer& timer, TimePoint when) {
    disarm(timer);
    timer.when_ = when;
    const std::int64_t number = slot_number(when);
    if (is_far(number)) {
        link(timer, number);
    } else {
        push(timer);
    }
}

void TimerQueue::disarm(Timer& timer) noexcept {
    if (timer.index_ == Timer::kFar) {
        unlink(timer);
    } else if (timer.is_armed()) {
        remove_at(timer.index_);
    }
}

void TimerQueue::fire_due(TimePoint now) {
    bring_near(slot_number(now));
    // A handler that arms a timer for now or earlier gets a higher number, so this loop ends.
    const std::uint64_t newest = order_;
    while (!heap_.empty() && heap_.front().when <= now && heap_.front().order <= newest) {
        Timer* timer = heap_.front().timer;
        remove_at(0);
        timer->fire();
    }
}

void TimerQueue::abandon_all() noexcept {
    for (Chain<Timer>& slot : slots_) {
        while (Timer* timer = slot.first()) {
            unlink(*timer);
            timer->abandon();
        }
    }
    while (!heap_.empty()) {
        Timer* timer = heap_.back().timer;
        remove_at(heap_.size() - 1);
        timer->abandon();
    }
}

void TimerQueue::link(Timer& timer, std::int64_t number) {
    if (slots_.empty()) slots_.resize(kSlotCount);
    // The slots form a ring. is_far() admits only kSlotCount numbers at a time, so no two of them
    // share a place.
    const std::size_t place = place_of(number);
    slots_[place].push(timer);
    timer.index_ = Timer::kFar;
    used_[place / kWordBits] |= std::uint64_t{1} << place % kWordBits;
    ++far_count_;
}

void TimerQueue::unlink(Timer& timer) noexcept {
    const std::size_t place = place_of(slot_number(timer.when_));
    slots_[place].remove(timer);
    timer.index_ = Timer::kDisarmed;
    if (slots_[place].empty()) used_[place / kWordBits] &= ~(std::uint64_t{1} << place % kWordBits);
    --far_count_;
}

std::int64_t TimerQueue::next_used_slot() const noexcept {
    const std::size_t start = place_of(first_far_);
    // Shifts out the places before the start; they belong to the end of the ring.
    std::uint64_t word = used_[start / kWordBits] >> start % kWordBits << start % kWordBits;
    for (std::size_t i = start / kWordBits;; word = used_[i]) {
        if (word != 0) {
            const std::size_t place =
                i * kWordBits + static_cast<std::size_t>(std::countr_zero(word));
            return first_far_ + static_cast<std::int64_t>((place - start) % kSlotCount);
        }
        i = (i + 1) % used_.size();
    }
}

void TimerQueue::bring_near(std::int64_t number) {
    while (far_count_ > 0) {
        const std::int64_t used = next_used_slot();
        if (used > number) break;
        const Chain<Timer>& slot = slots_[place_of(used)];
        while (Timer* timer = slot.first()) {  // In the order of arming.
            unlink(*timer);
            push(*timer);
        }
    }
    // Slots up to this number are used up: timers for their time go to the heap from now on.
    first_far_ = std::max(first_far_, number + 1);
}

void TimerQueue::push(Timer& timer) {
    const ArmedTimer entry{timer.when_, ++order_, &timer};
    heap_.push_back(entry);
    sift_up(heap_.size() - 1, entry);
}

void TimerQueue::place(std::size_t index, ArmedTimer entry) noexcept {
    heap_[index] = entry;
    entry.timer->index_ = static_cast<std::uint32_t>(index);
}

void TimerQueue::sift_up(std::size_t index, ArmedTimer entry) noexcept {
    while (index > 0) {
        const std::size_t parent = (index - 1) / kArity;
        if (!(entry < heap_[parent])) break;
        place(index, heap_[parent]);
        index = parent;
    }
    place(index, entry);
}

void TimerQueue::sift_down(std::size_t index, ArmedTimer entry) noexcept {
    for (;;) {
        const std::size_t first = index * kArity + 1;
        if (first >= heap_.size()) break;
        const std::size_t last = std::min(first + kArity, heap_.size());
        std::size_t least = first;
        for (std::size_t child = first + 1; child < last; ++child) {
            if (heap_[child] < heap_[least]) least = child;
        }
        if (!(heap_[least] < entry)) break;
        place(index, heap_[least]);
        index = least;
    }
    place(index, entry);
}

void TimerQueue::remove_at(std::size_t index) noexcept {
    WEFT_ASSERT(index < heap_.size() && heap_[index].timer->index_ == index);
    heap_[index].timer->index_ = Timer::kDisarmed;
    const ArmedTimer last = heap_.back();
    heap_.pop_back();
    if (index == heap_.size()) return;
    // The entry that fills the gap may come from another branch of the heap, so it can be too early
    // as well as too late for its place.
    if (index > 0 && last < heap_[(index - 1) / kArity]) {
        sift_up(index, last);
    } else {
        sift_down(index, last);
    }
}

}  // namespace weft::aio
