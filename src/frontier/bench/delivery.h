#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/host.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// A URL that the store hands to the workbench, which lends it. Its times are those of the store's
// clock; the Committer converts them.
struct Delivery {
    Slot slot;
    Candidate candidate;
    std::uint32_t attempt = 1;
    WallTime not_before{};
    WallTime host_ready_at{};
};

}  // namespace weft::frontier
