#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"
#include "http/client/client_options.h"
#include "http/client/fetch_clock.h"

namespace weft::http {

// A host, without brackets, and a port: what one connects to.
struct HostPort {
    std::string host;
    std::uint16_t port = 0;

    static HostPort of(const web::Url& url);
};

// The addresses that a connection to `place` may use. In this order: those the user fixed for it
// (--resolve), the address that the host itself is, what the name servers say. Only addresses of
// the family that the options ask for, or that the local address (--bind-address) can reach.
// Throws FetchError of the phase dns.
//
// Connections and politeness both ask here, so that the address that is counted is one that is
// connected to.
aio::Co<std::vector<aio::IpAddress>> look_up(HostPort place, const ClientOptions& options,
                                             FetchClock& clock);

// Whether look_up() asks the name servers for `place`.
bool asks_name_servers(const HostPort& place, const ClientOptions& options);

}  // namespace weft::http
