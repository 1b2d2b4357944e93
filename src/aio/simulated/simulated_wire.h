#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/random.h"

namespace weft::aio {

// The base of a simulated network: future events, randomness and the trace. Events of the same time
// happen in the order in which they were scheduled. Owned by the network, on one thread.
class SimulatedWire {
public:
    using Event = std::move_only_function<void()>;
    using TraceSink = std::function<void(std::string_view line)>;

    SimulatedWire(const Clock& clock, std::uint64_t seed) : clock_(clock), random_(seed) {}

    TimePoint now() const { return clock_.now(); }
    Random& random() { return random_; }

    void schedule(TimePoint when, Event event);
    std::optional<TimePoint> next_event() const;

    // Runs every event that is due now, including those that events schedule for now.
    void deliver_due();

    // A line is "12.000345678 what happened", in seconds of virtual time, without '\n'.
    void set_trace(TraceSink sink) { trace_ = std::move(sink); }

    template <class... Args>
    void trace(fmt::format_string<Args...> text, Args&&... args) {
        if (trace_) write_trace(fmt::format(text, std::forward<Args>(args)...));
    }

private:
    struct ScheduledEvent {
        TimePoint when;
        std::uint64_t order;
        Event event;
        // Reversed, as a heap of the standard library has its greatest element on top.
        bool operator<(const ScheduledEvent& other) const {
            return when != other.when ? when > other.when : order > other.order;
        }
    };

    void write_trace(std::string_view text) const;

    const Clock& clock_;
    Random random_;
    std::vector<ScheduledEvent> heap_;
    std::uint64_t order_ = 0;
    TraceSink trace_;
};

}  // namespace weft::aio
