#include "aio/simulation.h"

#include <fmt/format.h>

#include "aio/executor.h"
#include "aio/network.h"
#include "base/assert.h"

namespace weft::aio {
namespace {

// The start of simulated history: a date that reads as one.
constexpr WallTime kSimulatedEpoch{std::chrono::seconds(1'767'225'600)};  // 2026-01-01

class SimulatedClock final : public Clock {
public:
    TimePoint now() const override { return TimePoint(elapsed_); }
    WallTime wall() const override { return kSimulatedEpoch + elapsed_; }
    void advance(Duration step) { elapsed_ += step; }

private:
    Duration elapsed_{};
};

// Nothing to wait for but time: select() moves the clock instead.
class SimulatedSelector final : public Selector {
public:
    explicit SimulatedSelector(SimulatedClock& clock) : clock_(clock) {}

    std::string_view name() const override { return "simulated"; }
    bool is_edge_triggered() const override { return true; }
    void add(int, Interest, IoHandler&) override { refuse(); }
    void modify(int, Interest) override { refuse(); }
    void remove(int) noexcept override {}
    void wake() noexcept override { woken_ = true; }

    void select(std::optional<Duration> timeout) override {
        if (std::exchange(woken_, false)) return;
        if (!timeout) throw Error(deadlock());
        clock_.advance(*timeout);
    }

private:
    [[noreturn]] static void refuse() {
        misuse("a file descriptor was given to a simulated loop: use the simulated network");
    }

    static std::string deadlock() {
        std::string text = "every task waits and nothing can wake one:\n";
        for (const TaskBase* task : EventLoop::running().all_tasks()) {
            text += fmt::format("{}\n{}", task->name(), format_stack(task->stack()));
        }
        return text;
    }

    SimulatedClock& clock_;
    bool woken_ = false;
};

}  // namespace

struct SimulatedLoop::Parts {
    explicit Parts(std::uint64_t seed) : random(seed) {}

    SimulatedClock clock;
    SimulatedSelector selector{clock};
    InlineExecutor executor;
    Random random;
    EventLoop loop{Platform{.clock = &clock,
                            .selector = &selector,
                            .network = nullptr,
                            .files = nullptr,
                            .executor = &executor,
                            .random = &random}};
};

SimulatedLoop::SimulatedLoop(std::uint64_t seed) : parts_(std::make_unique<Parts>(seed)) {}

SimulatedLoop::~SimulatedLoop() = default;

Duration SimulatedLoop::now() const {
    return parts_->clock.now().time_since_epoch();
}

EventLoop& SimulatedLoop::loop() {
    return parts_->loop;
}

}  // namespace weft::aio
