#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "base/limits.h"

namespace weft::aio {

class TlsContext;

struct ConnectOptions {
    // Before the next address is tried beside the ones under way (RFC 8305, section 5).
    Duration attempt_delay = 250ms;

    // For one address.
    Duration attempt_timeout = limits::kConnectTimeout;

    // The address of this machine to connect from; none: the system chooses.
    std::optional<IpAddress> local = {};
};

// Connects to whichever of the endpoints answers first: happy eyeballs (RFC 8305). The families
// take turns, starting with that of the first endpoint; a further attempt starts when the last one
// failed or has kept us waiting; the first success ends the others. Remembers nothing.
//
// When all fail, throws what the last failure threw: IoError, or TimeoutError naming the endpoint.
// Cancelled, it leaves no attempt behind. REQUIRES: !endpoints.empty()
Co<Stream> connect_to_any(std::vector<Endpoint> endpoints, ConnectOptions options = {});

// The order in which connect_to_any() tries: families in turn, else as given.
std::vector<Endpoint> interleave_families(const std::vector<Endpoint>& endpoints);

struct OpenOptions {
    std::shared_ptr<TlsContext> tls;  // Null: plain.
    std::vector<std::string> alpn;    // Offered, in order of preference.
    ConnectOptions connect;
};

// Resolves, connects and, with `tls`, shakes hands. Throws ResolveError, IoError, TimeoutError,
// TlsError. Only each attempt to connect has a deadline of its own: put the whole under timeout().
// Cancelled, it leaves no connection behind; an answer of the name server is kept for the next.
Co<Stream> open_connection(std::string host, std::uint16_t port, OpenOptions options = {});

// What the system's own resolver says (hosts file, mDNS, ...), asked in another thread. For loops
// that must see what other programs see; crawls ask Network::resolver(). Throws ResolveError.
// Cancelled, the thread goes on until the system answers.
Co<std::vector<Endpoint>> getaddrinfo(std::string host, std::uint16_t port);

}  // namespace weft::aio
