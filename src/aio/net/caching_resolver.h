#pragma once

#include <memory>
#include <string>

#include "aio/net/network.h"

namespace weft::aio {

// Remembers the answers of another resolver for their time to live (at least 30 s, at most a day),
// and its "no" for 30 s. A name being asked is asked once, however many wait. At most
// `names_max` names are kept; the oldest go first.
std::unique_ptr<Resolver> make_caching_resolver(std::unique_ptr<Resolver> inner,
                                                std::size_t names_max = 100'000);

// Asks the name servers now: of a resolver that remembers, the one behind it.
[[clang::coro_wrapper]] Co<Resolution> resolve_anew(Resolver& resolver, std::string host);

}  // namespace weft::aio
