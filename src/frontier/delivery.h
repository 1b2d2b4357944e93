#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "frontier/frontier.h"
#include "frontier/host.h"

namespace weft::frontier {

// URLs of a host that a workbench gets to lend out.
struct Delivery {
    struct Item {
        Slot slot;
        Candidate candidate;
        std::uint32_t attempt = 1;
        WallTime not_before{};
    };

    std::uint64_t host_id = 0;
    WallTime ready_at{};
    std::vector<Item> items;
};

}  // namespace weft::frontier
