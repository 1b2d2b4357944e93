#pragma once

#include <optional>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"
#include "http/client/client_options.h"
#include "web/url/url.h"

namespace weft::crawl {

// The address that identifies a host's machine for politeness. Of the addresses that a connection
// may use (http::look_up) it is the smallest, so that a DNS answer in another order gives the same
// machine. Empty if only a proxy knows the address, or if the address policy denies all of them.
// Throws FetchError as the fetch itself would. `url` and `client` outlive the call.
aio::Co<std::optional<aio::IpAddress>> address_of(const web::Url& url,
                                                  const http::ClientOptions& client);

// Whether a fetch of the URL asks the name servers: its host is not an address, not fixed by an
// option, and not resolved by a proxy.
bool asks_name_servers(const web::Url& url, const http::ClientOptions& client);

}  // namespace weft::crawl
