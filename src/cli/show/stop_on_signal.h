#pragma once

#include <csignal>
#include <functional>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "aio/process/signals.h"
#include "cli/show/exit_status.h"

namespace weft::cli {

// What a command with a progress display says at the first signal.
inline constexpr std::string_view kFinishing =
    "Finishing what is under way; once more to stop at once.";

// The first SIGINT or SIGTERM calls `stop`, which ends the command in an orderly way. The second
// one ends the program at once.
class StopOnSignal {
public:
    explicit StopOnSignal(std::function<void()> stop)
        : stop_(std::move(stop)),
          interrupt_(SIGINT, [this] { handle(); }),
          terminate_(SIGTERM, [this] { handle(); }) {}

private:
    void handle() {
        // _exit() runs no destructors, so nothing can delay the end.
        if (std::exchange(came_, true)) _exit(exit_forced);
        stop_();
    }

    std::function<void()> stop_;
    bool came_ = false;
    aio::SignalHandler interrupt_;
    aio::SignalHandler terminate_;
};

}  // namespace weft::cli
