#pragma once

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/frame_pool.h"

namespace weft::aio {

// Runs body() in virtual time; afterwards no more coroutine frames live than before. (A test of the
// same process may have left some on purpose.)
template <class Body>
void simulate(Body body) {
    const std::size_t before = frame_pool::live_count();
    {
        SimulatedLoop loop;
        loop.run(body());
    }
    EXPECT_EQ(frame_pool::live_count(), before);
}

// Virtual time since the start, inside simulate().
inline Duration elapsed() {
    return EventLoop::running().time().time_since_epoch();
}

// Whether awaiting `co` throws an E.
template <class E, class T>
Co<bool> throws(Co<T> co) {
    try {
        co_await std::move(co);
    } catch (const E&) {
        co_return true;
    }
    co_return false;
}

}  // namespace weft::aio
