#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "http/address_policy.h"
#include "http/fetch_limits.h"
#include "web/url.h"

namespace weft::crawl {

// What a crawl does: the resolved options, each with its default.
struct Config {
    std::vector<web::Url> seeds;

    // Where to go.
    std::optional<std::uint32_t> depth_max;       // Steps from a seed; none: no limit.
    std::optional<std::uint64_t> page_count_max;  // Fetches that end; then the crawl ends.
    std::uint32_t redirect_count_max = limits::kRedirectCountMax;

    // How hard.
    std::size_t concurrency = 256;  // Fetches under way at once, over all hosts.
    std::size_t max_per_host = 1;   // And of one host.
    std::optional<Duration> wait;   // Between two fetches of a host; none: as long as the last
                                    // answer took, within 0.1 to 10 s.
    bool obey_robots = true;
    std::uint32_t try_count_max = 3;  // Of a fetch that fails for a reason that may pass.

    // Who asks. The name before the slash is what robots.txt speaks to.
    std::string user_agent = "weft/0.1";

    // How far an answer is trusted.
    http::FetchLimits limits;
    http::AddressPolicy addresses;
    std::filesystem::path ca_file;

    // What is kept. An empty path keeps nothing.
    std::filesystem::path output;
    bool archive = true;
};

}  // namespace weft::crawl
