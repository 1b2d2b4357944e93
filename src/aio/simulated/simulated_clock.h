#pragma once

#include "base/clock.h"

namespace weft::aio {

// A clock that moves only when it is told to. Its wall clock starts at a plausible date.
class SimulatedClock final : public Clock {
public:
    TimePoint now() const override { return TimePoint(elapsed_); }
    WallTime wall() const override { return kEpoch + elapsed_ + wall_offset_; }
    void advance(Duration step) { elapsed_ += step; }

    // As if someone set the date: only the wall clock moves (H100).
    void jump_wall(Duration by) { wall_offset_ += by; }

private:
    static constexpr WallTime kEpoch{std::chrono::seconds(1'767'225'600)};  // 2026-01-01

    Duration elapsed_{};
    Duration wall_offset_{};
};

}  // namespace weft::aio
