#pragma once

#include <memory>
#include <string>

#include "aio/net/network.h"
#include "base/limits.h"

namespace weft::aio {

// Which name servers are asked, and how long.
struct ResolverOptions {
    // A list such as "192.0.2.53,[2001:db8::53]:5353". Empty: the system's name servers
    // (resolv.conf).
    std::string servers;

    // For one query to one server. A query is sent at most twice.
    Duration query_timeout = limits::kDnsTimeout / 2;
};

// Asks name servers through c-ares, on the running loop: no threads and no cache. It must be
// destroyed before the loop.
std::unique_ptr<Resolver> make_ares_resolver(const ResolverOptions& options);

}  // namespace weft::aio
