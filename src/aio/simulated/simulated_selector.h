#pragma once

#include <string>

#include "aio/loop/loop.h"
#include "aio/loop/selector.h"
#include "aio/simulated/simulated_clock.h"
#include "aio/simulated/simulated_network.h"

namespace weft::aio {

// Waits only for time and the simulated network: select() moves the clock to the next event instead
// of waiting, and runs it. Throws Error if there is no next event: then nothing can ever happen
// again.
class SimulatedSelector final : public Selector {
public:
    SimulatedSelector(SimulatedClock& clock, SimulatedNetwork& network)
        : clock_(clock), network_(network) {}

    std::string_view name() const override { return "simulated"; }
    bool is_edge_triggered() const override { return true; }
    void add(int fd, Interest interest, IoHandler& handler) override;
    void modify(int fd, Interest interest) override;
    void remove(int) noexcept override {}
    void wake() noexcept override { woken_ = true; }
    void select(std::optional<Duration> timeout) override;

private:
    SimulatedClock& clock_;
    SimulatedNetwork& network_;
    bool woken_ = false;
};

// A text: "every task waits and nothing can wake one:", then the stacks of the loop's tasks.
std::string describe_deadlock(const EventLoop& loop);

}  // namespace weft::aio
