#pragma once

#include <memory>
#include <string>

#include "aio/net/network.h"
#include "base/limits.h"

namespace weft::aio {

struct ResolverOptions {
    // "192.0.2.53,[2001:db8::53]:5353"; empty: the system's own (resolv.conf).
    std::string servers;

    // One question to one server; asked twice at most.
    Duration query_timeout = limits::kDnsTimeout / 2;
};

// Asks name servers through c-ares on the running loop: no threads, no cache of its own.
std::unique_ptr<Resolver> make_ares_resolver(const ResolverOptions& options);

}  // namespace weft::aio
