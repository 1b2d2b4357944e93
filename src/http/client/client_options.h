#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/net/endpoint.h"
#include "http/access/cookie_jar.h"
#include "http/access/credentials.h"
#include "http/client/bandwidth.h"
#include "http/client/fetch_limits.h"
#include "http/connect/address_policy.h"
#include "http/connect/pool_limits.h"
#include "http/connect/proxy.h"

namespace weft::http {

// Which versions of HTTP are spoken.
enum class Protocols {
    http1,
    prefer_http2,           // HTTP/2 if the server chooses it in TLS (ALPN); else HTTP/1.1.
    http2_prior_knowledge,  // HTTP/2 from the first byte, without TLS too.
};

enum class AddressFamily { any, v4, v6 };

// The addresses of a host at a port, used instead of a DNS lookup.
struct FixedAddress {
    std::string host;
    std::uint16_t port = 0;
    std::vector<aio::IpAddress> addresses;
};

// Our own TLS certificate. It is shown to this origin and never to another.
struct ClientCertificate {
    Origin origin;
    std::filesystem::path certificate_file;  // PEM, with its chain.
    std::filesystem::path key_file;          // Empty: the key is in the same file.
};

// What a Client is made from. The client keeps a copy; only its address policy changes later.
struct ClientOptions {
    std::string user_agent = "weft/0.1";
    FetchLimits limits;
    Protocols protocols = Protocols::prefer_http2;

    // Which addresses the client may connect to, and how many connections it may have open.
    AddressPolicy addresses;
    AddressFamily family = AddressFamily::any;
    std::vector<FixedAddress> fixed_addresses;
    PoolLimits pool;
    ProxySettings proxies;

    // A rate limit that clients may share, also clients of other threads. Null: no limit.
    std::shared_ptr<Bandwidth> bandwidth;

    // The local address to connect from. Hosts are then reached in its family only. If it is not
    // set, the system chooses.
    std::optional<aio::IpAddress> bind_address;

    // Certificate authorities in addition to the system's (PEM).
    std::filesystem::path ca_file;
    bool verify_certificates = true;
    std::optional<ClientCertificate> certificate;

    // The result of Client::tls_sessions() of an earlier run. Its TLS sessions are resumed.
    std::string tls_sessions;

    // Logins, each for one origin, and the cookie jar; null: no cookies. Clients of one thread may
    // share a jar.
    std::vector<Credentials> credentials;
    std::shared_ptr<ClientCookies> cookies;

    // Whether to undo Content-Encoding. If not, the content is passed on as it was sent.
    bool decode = true;
};

}  // namespace weft::http
