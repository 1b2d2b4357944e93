#pragma once

#include <cstddef>

#include "base/clock.h"

namespace weft::http {

// How many connections a client keeps open.
struct PoolLimits {
    std::size_t connections_max = 1'000;  // Open at once, idle ones included.
    std::size_t per_host_max = 64;        // To one key.
    std::size_t per_address_max = 256;    // To one IP address, for all hosts on it (H17).
    std::size_t idle_max = 1'000;
    Duration idle_time_max = 60s;
};

}  // namespace weft::http
