#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"
#include "http/client/client_options.h"
#include "http/client/fetch_clock.h"

namespace weft::http {

// A host without brackets, and a port.
struct HostPort {
    std::string host;
    std::uint16_t port = 0;

    static HostPort of(const web::Url& url);
};

// The addresses for a connection to `place`. The first of these that applies: addresses that the
// user fixed (--resolve), the host itself if it is an address, the answer of the name servers. Only
// addresses of the family in the options, or of the family of the local address (--bind-address).
// Never empty. Throws FetchError in phase dns, which it enters. `options` and `clock` must outlive
// the call.
//
// Connections and politeness both use this function, so that politeness counts an address that is
// really connected to.
aio::Co<std::vector<aio::IpAddress>> look_up(HostPort place, const ClientOptions& options,
                                             FetchClock& clock);

// Whether look_up() asks the name servers for `place`.
bool asks_name_servers(const HostPort& place, const ClientOptions& options);

}  // namespace weft::http
