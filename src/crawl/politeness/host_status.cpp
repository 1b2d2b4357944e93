#include "crawl/politeness/host_status.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "aio/task/task.h"

namespace weft::crawl {

std::string_view describe(HostWait wait) {
    switch (wait) {
        case HostWait::none: return "ready";
        case HostWait::pause: return "polite pause";
        case HostWait::crawl_delay: return "robots.txt asks for a delay";
        case HostWait::retry_after: return "it asked to come later";
        case HostWait::overload: return "it is overloaded";
        case HostWait::unreachable: return "it cannot be reached";
        case HostWait::robots: return "its robots.txt cannot be had";
    }
    std::unreachable();
}

aio::Co<std::vector<HostStatus>> count_waiting(frontier::Frontier& frontier,
                                               std::vector<HostStatus> hosts) {
    constexpr std::size_t kAskedMax = 8;  // Hosts that the frontier is asked about.
    const auto waiting = std::ranges::partition(
        hosts, [](const HostStatus& host) { return host.under_way_count > 0; });
    std::ranges::sort(waiting, std::greater(), &HostStatus::wait_left);
    const auto active_count = static_cast<std::size_t>(waiting.begin() - hosts.begin());
    hosts.resize(std::min(hosts.size(), active_count + kAskedMax));
    for (std::size_t i = active_count; i < hosts.size(); ++i) {
        const frontier::HostCounts counts = co_await frontier.host_counts(hosts[i].name);
        hosts[i].waiting_count = counts.admitted - counts.done;
    }
    std::erase_if(hosts, [](const HostStatus& host) {
        return host.under_way_count == 0 && host.waiting_count == 0;
    });
    co_return hosts;
}

}  // namespace weft::crawl
