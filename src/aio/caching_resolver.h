#pragma once

#include <memory>

#include "aio/network.h"

namespace weft::aio {

// Remembers the answers of another resolver for their time to live (at least 30 s, at most a day),
// and its "no" for 30 s. A name being asked is asked once, however many wait. At most
// `names_max` names are kept; the oldest go first.
std::unique_ptr<Resolver> make_caching_resolver(std::unique_ptr<Resolver> inner,
                                                std::size_t names_max = 100'000);

}  // namespace weft::aio
