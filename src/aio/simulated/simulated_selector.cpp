#include "aio/simulated/simulated_selector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"

namespace weft::aio {
namespace {

[[noreturn]] void refuse() {
    misuse("a file descriptor was given to a simulated loop: use the simulated network");
}

}  // namespace

std::string describe_deadlock(const EventLoop& loop) {
    std::string text = "every task waits and nothing can wake one:\n";
    for (const TaskBase* task : loop.all_tasks()) {
        text += fmt::format("{}\n{}", task->name(), format_stack(task->stack()));
    }
    return text;
}

void SimulatedSelector::add(int, Interest, IoHandler&) {
    refuse();
}

void SimulatedSelector::modify(int, Interest) {
    refuse();
}

void SimulatedSelector::select(std::optional<Duration> timeout) {
    // A wake-up means that there is work at the present time, so the clock stays.
    if (!std::exchange(woken_, false)) {
        std::optional<Duration> step = timeout;
        if (const std::optional<TimePoint> event = network_.next_event()) {
            const Duration until_event = std::max(Duration::zero(), *event - clock_.now());
            step = std::min(step.value_or(until_event), until_event);
        }
        if (!step) throw Error(describe_deadlock(EventLoop::running()));
        clock_.advance(*step);
    }
    network_.deliver_due();
}

}  // namespace weft::aio
