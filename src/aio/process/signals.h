#pragma once

#include <memory>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/task/co.h"

namespace weft::aio {

// Calls `callback` on the loop for each delivery of a signal, while this lives; with the last
// handler the signal means again what it meant before. Of several handlers of a signal, on
// whichever loops, the newest that lives is called. They may end in any order.
class SignalHandler {
public:
    SignalHandler(int signal, Callback callback, EventLoop& loop = EventLoop::running());
    ~SignalHandler();
    SignalHandler(SignalHandler&&) noexcept;

    struct State;  // Of the implementation.

private:
    friend Co<int> signals(std::vector<int> which);

    explicit SignalHandler(std::unique_ptr<State> state) noexcept;

    // One that shares the signal with those of its kind that came before.
    static SignalHandler shared(int signal, Callback callback);

    std::unique_ptr<State> state_;
};

// Awaited, waits for one of the signals and gives its number. They are taken over when the await
// begins; afterwards, and when it is cancelled, they mean what they meant before. Any number of
// tasks may wait for one signal: all are told.
//
//     const int signal = co_await signals({SIGTERM, SIGINT});
Co<int> signals(std::vector<int> which);

}  // namespace weft::aio
