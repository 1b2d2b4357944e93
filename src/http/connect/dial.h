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

// Where to connect to, and how. Everything referred to must outlive the call of dial().
struct Destination {
    const web::Url& url;
    const std::optional<Proxy>& proxy;
    std::string_view key;  // The pool's key; TLS sessions are kept and resumed by it too.
    bool offers_http1 = true;
    bool offers_http2 = false;
};

// Whether TLS has agreed on HTTP/2.
bool has_agreed_on_http2(aio::Stream& stream);

// Opens connections: looks up the host, asks the address policy, connects, has the proxy connect to
// the host, does the TLS handshake. Each step has its own deadline and failure; see FetchClock. All
// connections of a client are opened here, so what the policy denies is denied for pages,
// redirects, robots.txt and probes. Owned by ClientParts; on the loop's thread.
class Dialer {
public:
    // Both arguments must outlive the dialer.
    Dialer(const ClientOptions& options, Pool& pool);
    ~Dialer();

    // Returns a stream that is ready for HTTP with the host. Fills in the phases in `timings`.
    // Throws FetchError. If it is cancelled, nothing stays open, and `room` may be used again.
    aio::Co<aio::Stream> dial(const Destination& destination, Pool::Room& room, FetchClock& clock,
                              Timings& timings);

    // For a proxy that looks names up: the policy sees only the host, so that an address or
    // `localhost` is judged here. Throws FetchError if it is denied.
    void check_name(const web::Url& url, const FetchClock& clock) const;

    // The TLS sessions that can be resumed, with and without our certificate.
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
    std::shared_ptr<aio::TlsContext> tls_;            // Created for the first https URL.
    std::shared_ptr<aio::TlsContext> tls_with_cert_;  // Only for the origin of our certificate.
};

}  // namespace weft::http
