#pragma once

#include <memory>

#include "aio/loop.h"

namespace weft::aio {

// Calls `callback` on the running loop for each delivery of a signal, while this lives; then the
// signal means what it meant before. One per signal and process at a time.
class SignalHandler {
public:
    SignalHandler(int signal, Callback callback);
    ~SignalHandler();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace weft::aio
