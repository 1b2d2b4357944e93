#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/host.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// A URL that the store hands to the workbench, which lends it. Its times are those of the store's
// clock.
struct Delivery {
    Slot slot;
    Visit visit;  // Its id is given when it is lent.
    WallTime not_before{};
    WallTime host_ready_at{};
};

// The answer to one request; only the field that fits the request is set.
struct Answer {
    std::size_t new_count = 0;
    HostCounts host;
    bool is_kept = true;
};

// The result of a commit.
struct Receipt {
    std::vector<Answer> answers;       // In the order of the requests.
    std::vector<Delivery> deliveries;  // For the workbench.
    Counts counts;                     // Lent URLs count as waiting.
    std::optional<WallTime> wake_at;   // Commit something at this time, if only an empty string.
    bool is_crowded = false;           // Hosts that are far from their time should be retired.
    bool is_checkpoint_due = false;
};

}  // namespace weft::frontier
