#pragma once

#include "base/clock.h"

namespace weft::aio {

// Time that moves only when told to. Its wall clock starts at a date that reads as one.
class SimulatedClock final : public Clock {
public:
    TimePoint now() const override { return TimePoint(elapsed_); }
    WallTime wall() const override { return kEpoch + elapsed_ + wall_offset_; }
    void advance(Duration step) { elapsed_ += step; }

    // As when somebody sets the date: nothing else moves (H100).
    void jump_wall(Duration by) { wall_offset_ += by; }

private:
    static constexpr WallTime kEpoch{std::chrono::seconds(1'767'225'600)};  // 2026-01-01

    Duration elapsed_{};
    Duration wall_offset_{};
};

}  // namespace weft::aio
