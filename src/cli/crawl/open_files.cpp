#include "cli/crawl/open_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/resource.h>

namespace weft::cli {
namespace {

// Besides its connections, a crawl has about twenty files open, and each shard eight. A host with
// several addresses may be tried at two of them at once.
constexpr std::size_t kReservedMin = 32;
constexpr std::size_t kReservedMax = 512;

// Raises the soft limit to the hard limit. Returns the limit.
std::size_t raise_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kReservedMin;
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    return limit.rlim_cur;
}

}  // namespace

std::string fit_open_files(crawl::Config& config, std::size_t shard_count) {
    const std::size_t open_max = raise_limit();
    const std::size_t reserved = std::clamp(open_max / 2, kReservedMin, kReservedMax);
    const std::size_t connections_max = open_max > reserved + 2 ? open_max - reserved : 2;
    std::size_t& per_shard = config.client.pool.connections_max;
    per_shard = std::min(per_shard, std::max<std::size_t>(2, connections_max / shard_count));
    const std::size_t wanted = config.concurrency;
    config.concurrency = std::min(wanted, connections_max / 2);
    if (config.concurrency == wanted) return "";
    return fmt::format(
        "weft: {} fetches at once, not {}: only {} files may be open (ulimit -n allows more)\n",
        config.concurrency, wanted, open_max);
}

}  // namespace weft::cli
