#pragma once

#include "aio/co.h"
#include "aio/endpoint.h"
#include "base/clock.h"
#include "web/url.h"

namespace weft::crawl {

// The address that stands for a host's machine: of several the least, so that an answer in another
// order is the same machine. Throws FetchError, as the fetch would.
aio::Co<aio::IpAddress> address_of(const web::Url& url, Duration limit);

}  // namespace weft::crawl
