#pragma once

#include <memory>
#include <vector>

#include "aio/co.h"
#include "aio/loop.h"

namespace weft::aio {

// Calls `callback` on the loop for each delivery of a signal, while this lives; then the signal
// means what it meant before. A second handler of a signal takes it over until it dies: they end in
// the reverse order of their making.
class SignalHandler {
public:
    SignalHandler(int signal, Callback callback, EventLoop& loop = EventLoop::running());
    ~SignalHandler();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Awaited, waits for one of the signals and gives its number. They are taken over when the await
// begins; afterwards, and when it is cancelled, they mean what they meant before.
//
//     const int signal = co_await signals({SIGTERM, SIGINT});
Co<int> signals(std::vector<int> which);

}  // namespace weft::aio
