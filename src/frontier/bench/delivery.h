#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/host.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// A URL that a workbench gets to lend out.
struct Delivery {
    Slot slot;
    Candidate candidate;
    std::uint32_t attempt = 1;
    WallTime not_before{};
    WallTime host_ready_at{};
};

}  // namespace weft::frontier
