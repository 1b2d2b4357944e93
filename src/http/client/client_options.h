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
    prefer_http2,           // Where TLS lets the server choose it; else HTTP/1.1.
    http2_prior_knowledge,  // At once, without TLS too.
};

enum class AddressFamily { any, v4, v6 };

// The addresses of a host at a port, instead of what name servers say.
struct FixedAddress {
    std::string host;
    std::uint16_t port = 0;
    std::vector<aio::IpAddress> addresses;
};

// Our own certificate: shown to one origin and no other.
struct ClientCertificate {
    Origin origin;
    std::filesystem::path certificate_file;  // PEM, with its chain.
    std::filesystem::path key_file;          // Empty: the key is in the same file.
};

struct ClientOptions {
    std::string user_agent = "weft/0.1";
    FetchLimits limits;
    Protocols protocols = Protocols::prefer_http2;

    // Whom we may connect to, and how many times.
    AddressPolicy addresses;
    AddressFamily family = AddressFamily::any;
    std::vector<FixedAddress> fixed_addresses;
    PoolLimits pool;
    ProxySettings proxies;

    // The rate of all that shares it, clients of other threads too; null: as fast as it comes.
    std::shared_ptr<Bandwidth> bandwidth;

    // The local address to connect from, for hosts of its family; none: the system chooses.
    std::optional<aio::IpAddress> bind_address;

    // Authorities besides the system's.
    std::filesystem::path ca_file;
    bool verify_certificates = true;
    std::optional<ClientCertificate> certificate;

    // What Client::tls_sessions() gave at the end of an earlier run: its TLS sessions are resumed.
    std::string tls_sessions;

    // Who we are, where somebody asks. The jar may be shared between clients of one thread.
    std::vector<Credentials> credentials;
    std::shared_ptr<CookieJar> cookies;

    // Undo Content-Encoding. Off: the content is given as it was sent.
    bool decode = true;
};

}  // namespace weft::http
