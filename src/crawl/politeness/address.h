#pragma once

#include <optional>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"
#include "crawl/run/config.h"
#include "web/url/url.h"

namespace weft::crawl {

// The address that stands for a host's machine: of several the least, so that an answer in another
// order is the same machine. Nothing where only a proxy knows it. Throws FetchError, as the fetch
// would.
aio::Co<std::optional<aio::IpAddress>> address_of(const web::Url& url, const Config& config);

// Whether the name servers are asked for the host of the URL: its name is neither an address nor
// fixed by an option nor left to a proxy.
bool asks_name_servers(const web::Url& url, const Config& config);

}  // namespace weft::crawl
