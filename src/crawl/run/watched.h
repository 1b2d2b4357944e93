#pragma once

#include <cstddef>
#include <vector>

#include "aio/task/co.h"
#include "crawl/politeness/host_status.h"
#include "crawl/run/statistics.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// The view of a crawl that a progress display needs, whether the crawl runs on one loop or on
// several. Used on the thread of the loop that runs the crawl.
class Watched {
public:
    virtual ~Watched() = default;

    virtual Statistics numbers() const = 0;
    virtual frontier::Counts counts() const = 0;
    virtual std::size_t active_host_count() const = 0;

    // The state of the hosts that were used last: first those with a fetch under way, then those
    // that have URLs and wait for their next start, the longest wait first.
    virtual aio::Co<std::vector<HostStatus>> host_statuses() = 0;
};

}  // namespace weft::crawl
