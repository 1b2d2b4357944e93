#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "web/url/url.h"

namespace weft::http {

// How to talk to a proxy.
enum class ProxyKind {
    http,     // http URLs in absolute form, https URLs through CONNECT.
    https,    // The same, with TLS to the proxy itself.
    socks5,   // SOCKS 5; we look up names.
    socks5h,  // SOCKS 5; the proxy looks up names.
};

enum class [[nodiscard]] ProxyError { bad_url, unknown_scheme };
std::string_view describe(ProxyError error);

// A proxy server. The operator chose it, so the address policy does not judge its address. If it
// looks up names itself, we do not see the addresses, so it must apply a policy of its own.
struct Proxy {
    ProxyKind kind = ProxyKind::http;
    std::string host;  // Without brackets.
    std::uint16_t port = 1080;
    std::string user;  // Percent-decoded; empty if there is none.
    std::string password;

    // "http://user:password@host:3128", "socks5h://127.0.0.1:9050", "host:3128". The defaults are
    // curl's: scheme http; port 1080, or 443 for https.
    static std::expected<Proxy, ProxyError> parse(std::string_view text);

    // For messages, without the credentials.
    std::string to_string() const;

    bool has_credentials() const { return !user.empty() || !password.empty(); }
    bool is_socks() const { return kind == ProxyKind::socks5 || kind == ProxyKind::socks5h; }

    // Whether the proxy looks up the names of hosts.
    bool resolves() const { return kind != ProxyKind::socks5; }

    friend bool operator==(const Proxy&, const Proxy&) = default;
};

// Which proxy to use for which URL.
struct ProxySettings {
    std::string http;   // For http URLs, as Proxy::parse() reads it; empty: none.
    std::string https;  // For https URLs.
    std::string all;    // For both schemes, if the one above is not set.

    // Hosts without a proxy: names (and all names below them), addresses and ranges, separated by
    // commas or spaces. A single `*` means all hosts.
    std::string none;

    // From environment variables, as curl reads them: http_proxy, https_proxy, all_proxy, no_proxy.
    // All but the first may be in upper case: a CGI server sets HTTP_PROXY from a request's `Proxy`
    // field, so a client could choose our proxy.
    using GetEnvironment = std::function<std::optional<std::string>(std::string_view name)>;
    static ProxySettings from_environment(const GetEnvironment& get);
    static ProxySettings from_environment();

    bool empty() const { return http.empty() && https.empty() && all.empty(); }

    // The proxy for this URL; nothing: connect directly.
    std::expected<std::optional<Proxy>, ProxyError> choose(const web::Url& url) const;
};

// Whether a no_proxy list contains the host of a URL.
bool goes_directly(std::string_view hostname, std::string_view no_proxy);

}  // namespace weft::http
