#include "http/connect/proxy.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "http/connect/address_range.h"
#include "web/host/host.h"
#include "web/url/percent.h"

namespace weft::http {

std::string_view describe(ProxyError error) {
    switch (error) {
        case ProxyError::bad_url:
            return "not a proxy; write it like http://host:3128 or socks5h://host:1080";
        case ProxyError::unknown_scheme:
            return "unknown kind of proxy; there are http, https, socks5 and socks5h";
    }
    std::unreachable();
}

namespace {

std::optional<ProxyKind> kind_of(std::string_view scheme) {
    if (scheme == "http") return ProxyKind::http;
    if (scheme == "https") return ProxyKind::https;
    if (scheme == "socks5") return ProxyKind::socks5;
    // With plain "socks" the proxy looks up names.
    if (scheme == "socks5h" || scheme == "socks") return ProxyKind::socks5h;
    return std::nullopt;
}

std::string_view name_of(ProxyKind kind) {
    switch (kind) {
        case ProxyKind::http: return "http";
        case ProxyKind::https: return "https";
        case ProxyKind::socks5: return "socks5";
        case ProxyKind::socks5h: return "socks5h";
    }
    std::unreachable();
}

std::string_view without_last_dot(std::string_view name) {
    if (name.ends_with('.')) name.remove_suffix(1);
    return name;
}

// Whether the host is the domain or a name below it. ".example.com" means the same as
// "example.com".
bool is_at_or_below(std::string_view host, std::string_view domain) {
    if (domain.starts_with('.')) domain.remove_prefix(1);
    domain = without_last_dot(domain);
    if (domain.empty() || host.size() < domain.size()) return false;
    if (!equals_ignore_case(host.substr(host.size() - domain.size()), domain)) return false;
    return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

bool is_named(std::string_view host, std::string_view entry) {
    // An address is compared with addresses and ranges only, a name with names only.
    const std::string_view bare = web::without_brackets(host);
    if (const auto address = aio::IpAddress::parse(bare)) {
        const std::size_t slash = entry.find('/');
        const std::string text = fmt::format("{}{}", web::without_brackets(entry.substr(0, slash)),
                                             slash == entry.npos ? "" : entry.substr(slash));
        const auto network = AddressRange::parse(text);
        return network && network->contains(*address);
    }
    return is_at_or_below(without_last_dot(host), entry);
}

}  // namespace

std::expected<Proxy, ProxyError> Proxy::parse(std::string_view text) {
    text = trim(text);
    std::string_view scheme = "http";
    std::string_view rest = text;
    if (const std::size_t colon = text.find("://"); colon != std::string_view::npos) {
        scheme = text.substr(0, colon);
        rest = text.substr(colon + 3);
    }
    const std::optional<ProxyKind> kind = kind_of(to_lower(scheme));
    if (!kind) return std::unexpected(ProxyError::unknown_scheme);
    // The URL parser drops a port that is the scheme's default, so "http://host:80" would lose its
    // port and get 1080. Parsed as ftp it keeps every port except 21, which is checked below.
    const auto url = web::Url::parse(fmt::format("ftp://{}", rest), web::kBoundedUrl);
    if (!url || url->hostname().empty() || url->host_kind() == web::HostKind::none) {
        return std::unexpected(ProxyError::bad_url);
    }
    const bool writes_ftp_port = without_last_dot(rest.substr(0, rest.find('/'))).ends_with(":21");
    const std::uint16_t default_port = *kind == ProxyKind::https ? 443 : 1080;
    return Proxy{
        .kind = *kind,
        .host = std::string(web::without_brackets(url->hostname())),
        .port = writes_ftp_port ? std::uint16_t{21} : url->port().value_or(default_port),
        .user = web::percent_decode(url->username()),
        .password = web::percent_decode(url->password()),
    };
}

std::string Proxy::to_string() const {
    const bool is_v6 = host.contains(':');
    return fmt::format("{}://{}{}{}:{}", name_of(kind), is_v6 ? "[" : "", host, is_v6 ? "]" : "",
                       port);
}

bool goes_directly(std::string_view hostname, std::string_view no_proxy) {
    if (trim(no_proxy) == "*") return true;
    while (!no_proxy.empty()) {
        const std::size_t end = std::min(no_proxy.find_first_of(", \t"), no_proxy.size());
        const std::string_view entry = no_proxy.substr(0, end);
        no_proxy.remove_prefix(std::min(end + 1, no_proxy.size()));
        if (!entry.empty() && is_named(hostname, entry)) return true;
    }
    return false;
}

ProxySettings ProxySettings::from_environment(const GetEnvironment& get) {
    const auto either = [&](std::string_view lower, std::string_view upper) {
        if (auto value = get(lower)) return *std::move(value);
        return get(upper).value_or("");
    };
    // No HTTP_PROXY; see the header.
    return {.http = get("http_proxy").value_or(""),
            .https = either("https_proxy", "HTTPS_PROXY"),
            .all = either("all_proxy", "ALL_PROXY"),
            .none = either("no_proxy", "NO_PROXY")};
}

ProxySettings ProxySettings::from_environment() {
    return from_environment([](std::string_view name) -> std::optional<std::string> {
        const char* value = std::getenv(std::string(name).c_str());
        if (!value) return std::nullopt;
        return value;
    });
}

std::expected<std::optional<Proxy>, ProxyError> ProxySettings::choose(const web::Url& url) const {
    const std::string& own = url.scheme() == "https" ? https : http;
    const std::string& text = own.empty() ? all : own;
    if (text.empty() || goes_directly(url.hostname(), none)) return std::nullopt;
    auto proxy = Proxy::parse(text);
    if (!proxy) return std::unexpected(proxy.error());
    return *std::move(proxy);
}

}  // namespace weft::http
