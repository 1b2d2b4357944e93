#include "crawl/visit/client_options.h"

#include <algorithm>
#include <memory>

namespace weft::crawl {

// tidy: allow banned-call: this is the one place
http::ClientOptions client_options(const Config& config) {
    auto options = config.client;
    // Each crawler works on its own copy of the jar: they run on different threads.
    if (options.cookies) options.cookies = std::make_shared<http::ClientCookies>(*options.cookies);
    options.user_agent = config.user_agent;
    options.limits = config.limits;
    options.addresses = config.addresses;
    for (const std::uint16_t port : config.ports) options.addresses.allow_port(port);
    for (const web::Url& seed : config.seeds) options.addresses.open(seed);
    options.ca_file = config.ca_file;
    // The crawl itself limits its fetches, so the pool must not: there is room for a robots.txt
    // beside each page.
    options.pool.connections_max = std::max(options.pool.connections_max, 2 * config.concurrency);
    options.pool.per_host_max = std::max(options.pool.per_host_max, 2 * config.max_per_host);
    return options;
}

}  // namespace weft::crawl
