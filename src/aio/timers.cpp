#include "aio/timers.h"

#include <algorithm>

#include "base/assert.h"

namespace weft::aio {

namespace {
constexpr std::size_t kArity = 4;
}

void TimerHeap::arm(Timer& timer, TimePoint when) {
    const Entry entry{when, ++order_, &timer};
    timer.when_ = when;
    if (!timer.is_armed()) {
        heap_.push_back(entry);
        sift_up(heap_.size() - 1, entry);
        return;
    }
    const std::size_t index = timer.index_;
    if (heap_[index] < entry) {
        sift_down(index, entry);
    } else {
        sift_up(index, entry);
    }
}

void TimerHeap::disarm(Timer& timer) noexcept {
    if (timer.is_armed()) remove_at(timer.index_);
}

void TimerHeap::fire_due(TimePoint now) noexcept {
    const std::uint64_t newest = order_;
    while (!heap_.empty() && heap_.front().when <= now && heap_.front().order <= newest) {
        Timer* timer = heap_.front().timer;
        remove_at(0);
        timer->fire();
    }
}

void TimerHeap::abandon_all() noexcept {
    while (!heap_.empty()) {
        Timer* timer = heap_.back().timer;
        remove_at(heap_.size() - 1);
        timer->abandon();
    }
}

void TimerHeap::place(std::size_t index, Entry entry) noexcept {
    heap_[index] = entry;
    entry.timer->index_ = static_cast<std::uint32_t>(index);
}

void TimerHeap::sift_up(std::size_t index, Entry entry) noexcept {
    while (index > 0) {
        const std::size_t parent = (index - 1) / kArity;
        if (!(entry < heap_[parent])) break;
        place(index, heap_[parent]);
        index = parent;
    }
    place(index, entry);
}

void TimerHeap::sift_down(std::size_t index, Entry entry) noexcept {
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

void TimerHeap::remove_at(std::size_t index) noexcept {
    WEFT_ASSERT(index < heap_.size());
    heap_[index].timer->index_ = Timer::kDisarmed;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (index == heap_.size()) return;
    if (index > 0 && last < heap_[(index - 1) / kArity]) {
        sift_up(index, last);
    } else {
        sift_down(index, last);
    }
}

}  // namespace weft::aio
