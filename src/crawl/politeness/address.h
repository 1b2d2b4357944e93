#pragma once

#include <optional>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"
#include "http/client/client_options.h"
#include "web/url/url.h"

namespace weft::crawl {

// The address that stands for a host's machine in politeness: of those that a connection may use
// (http::look_up), the least, so that the same answer in another order is the same machine. None
// where only a proxy knows the address. Throws FetchError, as the fetch itself would.
aio::Co<std::optional<aio::IpAddress>> address_of(const web::Url& url,
                                                  const http::ClientOptions& client);

// Whether the name servers are asked for the URL's host: its name is neither an address nor fixed
// by an option nor left to a proxy.
bool asks_name_servers(const web::Url& url, const http::ClientOptions& client);

}  // namespace weft::crawl
