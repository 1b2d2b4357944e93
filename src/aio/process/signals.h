#pragma once

#include <memory>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/task/co.h"

namespace weft::aio {

// Calls `callback` on the loop for each delivery of a signal, as long as this object lives. When
// the last handler of a signal is destroyed, the earlier meaning of the signal is restored. If a
// signal has several handlers, on any loops, the newest one is called. They may be destroyed in any
// order. Must be destroyed on its loop's thread, before the loop.
class SignalHandler {
public:
    SignalHandler(int signal, Callback callback, EventLoop& loop = EventLoop::running());
    ~SignalHandler();
    SignalHandler(SignalHandler&&) noexcept;

    struct State;  // For the implementation.

private:
    friend Co<int> signals(std::vector<int> which);

    explicit SignalHandler(std::unique_ptr<State> state) noexcept;

    // A handler that is called together with the earlier shared handlers of the signal.
    static SignalHandler shared(int signal, Callback callback);

    std::unique_ptr<State> state_;
};

// Waits for one of the signals and gives its number. The signals are taken over when the await
// begins; when it ends or is cancelled, their earlier meaning is restored. Any number of tasks may
// wait for one signal; all of them are resumed, by their loops.
//
//     const int signal = co_await signals({SIGTERM, SIGINT});
Co<int> signals(std::vector<int> which);

}  // namespace weft::aio
