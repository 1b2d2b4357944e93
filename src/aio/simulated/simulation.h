#pragma once

#include <memory>
#include <utility>

#include "aio/files/memory_files.h"
#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/simulated/simulated_network.h"
#include "aio/task/co.h"

namespace weft::aio {

// A loop in virtual time. Time stands still while a task can run, and jumps to the next timer or
// network event when all tasks wait. The same seed gives the same run, step by step. Jobs for
// threads run at once; files are in memory.
//
//     SimulatedLoop loop;
//     loop.network().host("a.test").latency(20ms);
//     loop.run(fetch_twice(politeness, "a.test"));
//     EXPECT_EQ(loop.now(), 5s);
//
// If every task waits and no event is to come, nothing can ever happen again: run() then throws an
// Error that shows where each task waits.
class SimulatedLoop {
public:
    explicit SimulatedLoop(std::uint64_t seed = 1);
    ~SimulatedLoop();

    template <class T>
    T run(Co<T> co) {
        return run_on(loop(), std::move(co));
    }

    // Virtual time since the start.
    Duration now() const;

    // Moves the date; timers are not affected.
    void jump_wall(Duration by);

    EventLoop& loop();

    // The loop's programs run on the machine "here".
    SimulatedNetwork& network();

    MemoryFiles& files();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace weft::aio
