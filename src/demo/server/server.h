#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aio/net/network.h"
#include "aio/task/co.h"
#include "demo/server/site.h"

namespace weft::demo {

inline constexpr unsigned kHostCount = 8;

// Listeners on 127.0.0.1 to 127.0.0.8, all on one port.
struct Listeners {
    std::uint16_t port = 0;
    std::vector<std::unique_ptr<aio::Listener>> listeners;
};

// Port 0 chooses a port that is free on all eight addresses. Throws IoError. REQUIRES: a running
// loop.
Listeners listen(std::uint16_t port);

// Serves the demo web until it is cancelled. The port of `options` is replaced by the listeners'.
aio::Co<> serve(Listeners listeners, Options options);

}  // namespace weft::demo
