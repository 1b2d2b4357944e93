#pragma once

#include <gtest/gtest.h>

#include "aio/frame_pool.h"
#include "aio/simulation.h"

namespace weft::aio {

// Runs body() in virtual time; afterwards no coroutine frame may be left.
template <class Body>
void simulate(Body body) {
    {
        SimulatedLoop loop;
        loop.run(body());
    }
    EXPECT_EQ(frame_pool::live_count(), 0u);
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
