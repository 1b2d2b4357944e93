#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/net/stream.h"
#include "aio/net/tls.h"
#include "aio/task/co.h"
#include "http/client/client_options.h"
#include "http/client/fetch_clock.h"
#include "http/connect/look_up.h"
#include "http/connect/pool.h"
#include "http/message/message.h"

namespace weft::http {

// Where a connection is to lead, and by which way.
struct Destination {
    const web::Url& url;
    const std::optional<Proxy>& proxy;
    std::string_view key;  // Of the pool; also of the TLS sessions that may be resumed.
    bool offers_http1 = true;
    bool offers_http2 = false;
};

// Whether TLS has agreed on HTTP/2.
bool has_agreed_on_http2(aio::Stream& stream);

// Opens connections: looks the host up, asks the address policy, connects, is led on by a proxy,
// shakes hands. Each step has its own deadline and failure; see FetchClock. No connection is made
// by another way, so that what the policy denies is denied for pages, redirects, robots.txt and
// probes.
class Dialer {
public:
    // Both outlive the dialer.
    Dialer(const ClientOptions& options, Pool& pool);
    ~Dialer();

    // A stream on which HTTP can be spoken with the host. Throws FetchError.
    aio::Co<aio::Stream> dial(const Destination& destination, Pool::Room& room, FetchClock& clock,
                              Timings& timings);

    // Where the policy sees only the name because the proxy looks it up: whether even that is
    // denied. Throws FetchError.
    void check_name(const web::Url& url, const FetchClock& clock) const;

    // Sessions of ours that may be resumed, those shown our certificate too.
    std::string tls_sessions() const;

private:
    std::vector<aio::Endpoint> allowed(const std::vector<aio::IpAddress>& addresses,
                                       const web::Url& url, const FetchClock& clock) const;
    void check_port(const web::Url& url, const FetchClock& clock) const;
    aio::Co<aio::Stream> connect(std::vector<aio::Endpoint> endpoints, Pool::Room* room,
                                 FetchClock& clock) const;
    aio::Co<> lead_on(aio::Stream& stream, const Destination& destination, FetchClock& clock);
    aio::Co<> secure(aio::Stream& stream, const HostPort& place, aio::TlsClientSession session,
                     FetchClock& clock);
    std::shared_ptr<aio::TlsContext> context_for(const HostPort& place);

    const ClientOptions& options_;
    Pool& pool_;
    std::shared_ptr<aio::TlsContext> tls_;            // Made with the first https URL.
    std::shared_ptr<aio::TlsContext> tls_with_cert_;  // For the origin of our certificate alone.
};

}  // namespace weft::http
