#pragma once

#include <memory>
#include <string>

#include "aio/net/network.h"

namespace weft::aio {

// Keeps the answers of another resolver for their time to live (at least 30 s, at most a day), and
// failures for 30 s. Several tasks that ask for the same name share one query. At most `names_max`
// names are kept; the oldest are dropped first. On one loop's thread.
std::unique_ptr<Resolver> make_caching_resolver(std::unique_ptr<Resolver> inner,
                                                std::size_t names_max = 100'000);

// Asks the name servers again: for a caching resolver it asks the one behind the cache.
[[clang::coro_wrapper]] Co<Resolution> resolve_anew(Resolver& resolver, std::string host);

}  // namespace weft::aio
