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

// The settings of connect_to_any().
struct ConnectOptions {
    // How long an attempt may take before the next address is tried in parallel (RFC 8305, section
    // 5).
    Duration attempt_delay = 250ms;

    // The limit of one attempt.
    Duration attempt_timeout = limits::kConnectTimeout;

    // The local address to connect from; none: the system chooses.
    std::optional<IpAddress> local = {};
};

// Connects to the endpoint that answers first: happy eyeballs (RFC 8305). The address families take
// turns, starting with that of the first endpoint. A further attempt starts when the last one has
// failed or takes longer than `attempt_delay`. The first success cancels the others. Nothing is
// remembered between calls.
//
// If all fail, it throws what the last failure threw: IoError, or TimeoutError naming the endpoint.
// If it is cancelled, no attempt is left behind. REQUIRES: !endpoints.empty()
Co<Stream> connect_to_any(std::vector<Endpoint> endpoints, ConnectOptions options = {});

// The order in which connect_to_any() tries: the families in turn, otherwise as given.
std::vector<Endpoint> interleave_families(const std::vector<Endpoint>& endpoints);

// The settings of open_connection().
struct OpenOptions {
    std::shared_ptr<TlsContext> tls;  // Null: no TLS.
    std::vector<std::string> alpn;    // Offered, in order of preference.
    ConnectOptions connect;
};

// Resolves, connects and, with `tls`, does the handshake. Throws ResolveError, IoError,
// TimeoutError, TlsError. Only each attempt to connect has its own deadline: put the whole call
// under timeout(). If it is cancelled, no connection is left behind; the name server's answer stays
// in the cache.
Co<Stream> open_connection(std::string host, std::uint16_t port, OpenOptions options = {});

// Asks the system's own resolver (hosts file, mDNS, ...) in another thread. For programs that must
// see what other programs see; crawls use Network::resolver(). Throws ResolveError. If it is
// cancelled, the thread goes on until the system answers.
Co<std::vector<Endpoint>> getaddrinfo(std::string host, std::uint16_t port);

}  // namespace weft::aio
