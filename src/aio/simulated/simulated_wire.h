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

// What a simulated network stands on: the events to come, chance, and the trace. Events of one
// moment happen in the order in which they were scheduled.
class SimulatedWire {
public:
    using Event = std::move_only_function<void()>;
    using TraceSink = std::function<void(std::string_view line)>;

    SimulatedWire(const Clock& clock, std::uint64_t seed) : clock_(clock), random_(seed) {}

    TimePoint now() const { return clock_.now(); }
    Random& random() { return random_; }

    void schedule(TimePoint when, Event event);
    std::optional<TimePoint> next_event() const;

    // Runs every event that is due now; events they schedule for now included.
    void deliver_due();

    // Lines are "12.000345678 what happened", without '\n'; seconds of virtual time.
    void set_trace(TraceSink sink) { trace_ = std::move(sink); }

    template <class... Args>
    void trace(fmt::format_string<Args...> text, Args&&... args) {
        if (trace_) write_trace(fmt::format(text, std::forward<Args>(args)...));
    }

private:
    struct Entry {
        TimePoint when;
        std::uint64_t order;
        Event event;
        // The heap of the standard library has the greatest on top.
        bool operator<(const Entry& other) const {
            return when != other.when ? when > other.when : order > other.order;
        }
    };

    void write_trace(std::string_view text) const;

    const Clock& clock_;
    Random random_;
    std::vector<Entry> heap_;
    std::uint64_t order_ = 0;
    TraceSink trace_;
};

}  // namespace weft::aio
