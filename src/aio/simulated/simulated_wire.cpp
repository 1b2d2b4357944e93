#include "aio/simulated/simulated_wire.h"

#include <algorithm>

namespace weft::aio {

void SimulatedWire::schedule(TimePoint when, Event event) {
    heap_.push_back({std::max(when, now()), order_++, std::move(event)});
    std::ranges::push_heap(heap_, std::less<>{});
}

std::optional<TimePoint> SimulatedWire::next_event() const {
    if (heap_.empty()) return std::nullopt;
    return heap_.front().when;
}

void SimulatedWire::deliver_due() {
    while (!heap_.empty() && heap_.front().when <= now()) {
        std::ranges::pop_heap(heap_, std::less<>{});
        // Taken out before it runs, as the event may schedule others.
        Event event = std::move(heap_.back().event);
        heap_.pop_back();
        event();
    }
}

void SimulatedWire::write_trace(std::string_view text) const {
    const std::int64_t elapsed = now().time_since_epoch().count();
    trace_(fmt::format("{}.{:09} {}", elapsed / 1'000'000'000, elapsed % 1'000'000'000, text));
}

}  // namespace weft::aio
