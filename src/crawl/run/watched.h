#pragma once

#include <cstddef>
#include <vector>

#include "aio/task/co.h"
#include "crawl/politeness/host_status.h"
#include "crawl/run/statistics.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// A crawl as a display sees it, on one loop or on many. On the loop that it was started on.
class Watched {
public:
    virtual ~Watched() = default;

    virtual Statistics numbers() const = 0;
    virtual frontier::Counts counts() const = 0;
    virtual std::size_t active_host_count() const = 0;

    // How the hosts are doing that were asked last: those under way, and those that wait for their
    // time and have URLs, the longest wait first.
    virtual aio::Co<std::vector<HostStatus>> host_statuses() = 0;
};

}  // namespace weft::crawl
