#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "web/url/url.h"

namespace weft::http {

enum class ProxyKind {
    http,     // Plain requests in absolute form, others through CONNECT.
    https,    // The same, and TLS to the proxy itself.
    socks5,   // We look names up.
    socks5h,  // The proxy does.
};

enum class [[nodiscard]] ProxyError { bad_url, unknown_scheme };
std::string_view describe(ProxyError error);

// Another machine that fetches for us. The operator named it, so the address policy does not judge
// it; what it may reach, it must judge itself where it looks the names up.
struct Proxy {
    ProxyKind kind = ProxyKind::http;
    std::string host;  // Without brackets.
    std::uint16_t port = 1080;
    std::string user;  // Decoded; none: empty.
    std::string password;

    // "http://user:password@host:3128", "socks5h://127.0.0.1:9050", "host:3128"; as curl, http
    // where no scheme is given, and port 1080 (443 for https) where no port is.
    static std::expected<Proxy, ProxyError> parse(std::string_view text);

    // For messages: without the credentials.
    std::string to_string() const;

    bool has_credentials() const { return !user.empty() || !password.empty(); }
    bool is_socks() const { return kind == ProxyKind::socks5 || kind == ProxyKind::socks5h; }
    bool resolves() const { return kind != ProxyKind::socks5; }

    friend bool operator==(const Proxy&, const Proxy&) = default;
};

// Which proxy for which URL.
struct ProxySettings {
    std::string http;   // For http URLs, as Proxy::parse() reads it; empty: none.
    std::string https;  // For https URLs.
    std::string all;    // For both, where the other is not set.

    // Hosts to be asked directly: names and what lies below them, addresses and ranges, separated
    // by commas or spaces; `*` alone: all.
    std::string none;

    // From variables of the environment, as curl reads them: http_proxy (in lower case only: a web
    // server may set the other from a header), https_proxy, all_proxy, no_proxy or those in upper
    // case.
    using GetEnvironment = std::function<std::optional<std::string>(std::string_view name)>;
    static ProxySettings from_environment(const GetEnvironment& get);
    static ProxySettings from_environment();

    bool empty() const { return http.empty() && https.empty() && all.empty(); }

    // The proxy to fetch this URL by; none: directly.
    std::expected<std::optional<Proxy>, ProxyError> choose(const web::Url& url) const;
};

// Whether a no_proxy list names the host of a URL.
bool goes_directly(std::string_view hostname, std::string_view no_proxy);

}  // namespace weft::http
