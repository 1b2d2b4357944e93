#include "aio/simulated/simulation.h"

#include "aio/loop/executor.h"
#include "aio/simulated/simulated_clock.h"
#include "aio/simulated/simulated_selector.h"

namespace weft::aio {

struct SimulatedLoop::Parts {
    explicit Parts(std::uint64_t seed) : network(clock, seed), random(seed) {}

    SimulatedClock clock;
    SimulatedNetwork network;
    MemoryFiles files;
    SimulatedSelector selector{clock, network};
    std::unique_ptr<Network> view = network.seen_from("here");
    InlineExecutor executor;
    Random random;
    // Last, so that it is destroyed first: the loop uses all of the above.
    EventLoop loop{Platform{.clock = &clock,
                            .selector = &selector,
                            .network = view.get(),
                            .files = &files,
                            .executor = &executor,
                            .random = &random}};
};

SimulatedLoop::SimulatedLoop(std::uint64_t seed) : parts_(std::make_unique<Parts>(seed)) {}

SimulatedLoop::~SimulatedLoop() = default;

Duration SimulatedLoop::now() const {
    return parts_->clock.now().time_since_epoch();
}

void SimulatedLoop::jump_wall(Duration by) {
    parts_->clock.jump_wall(by);
}

EventLoop& SimulatedLoop::loop() {
    return parts_->loop;
}

SimulatedNetwork& SimulatedLoop::network() {
    return parts_->network;
}

MemoryFiles& SimulatedLoop::files() {
    return parts_->files;
}

}  // namespace weft::aio
