#include "web/url/url.h"

#include <algorithm>
#include <utility>

#include "web/url/url_fast_path.h"
#include "web/url/url_parser.h"
#include "web/url/url_scheme.h"

namespace weft::web {
namespace {

std::expected<Url, UrlError> parse_with(std::string_view text, const Url* base,
                                        const UrlOptions& options) {
    const std::size_t bytes_max = std::min(options.bytes_max, kUrlBytesCeiling);
    if (text.size() > bytes_max) return std::unexpected(UrlError::too_long);
    // The fast path does not need the query encoder: it accepts ASCII only.
    std::optional<Url> plain =
        base == nullptr ? UrlFastPath::parse(text) : UrlFastPath::resolve(*base, text);
    std::expected<Url, UrlError> url =
        plain ? *std::move(plain) : detail::parse_by_standard(text, base, options.query_encoder);
    if (url && url->href().size() > bytes_max) return std::unexpected(UrlError::too_long);
    return url;
}

}  // namespace

std::string_view describe(UrlError error) {
    switch (error) {
        case UrlError::empty: return "empty";
        case UrlError::missing_scheme: return "no scheme; did you mean https://?";
        case UrlError::opaque_base: return "relative, but the base has no path (mailto:, data:)";
        case UrlError::missing_host: return "no host after the scheme";
        case UrlError::bad_host: return "host has a character that no host may have";
        case UrlError::bad_domain: return "host is not a valid international domain name";
        case UrlError::bad_ipv4: return "host ends in a number but is not an IPv4 address";
        case UrlError::bad_ipv6: return "host in brackets is not an IPv6 address";
        case UrlError::bad_port: return "port is not in 0-65535";
        case UrlError::too_long: return "longer than the limit for URLs";
    }
    std::unreachable();
}

std::expected<Url, UrlError> Url::parse(std::string_view text, const UrlOptions& options) {
    return parse_with(text, nullptr, options);
}

std::expected<Url, UrlError> Url::resolve(std::string_view reference,
                                          const UrlOptions& options) const {
    return parse_with(reference, this, options);
}

std::string_view Url::username() const {
    if (!has_host()) return {};
    return part(scheme_end_ + 3, username_end_);
}

std::string_view Url::password() const {
    // The password stands between the colon after the user and the "@" before the host.
    if (host_start_ <= username_end_ + 1) return {};
    return part(username_end_ + 1, host_start_ - 1);
}

std::string_view Url::host() const {
    return part(host_start_, port() ? path_start_ : host_end_);
}

std::optional<std::uint16_t> Url::port() const {
    // Without a host, "/." may stand between host_end_ and path_start_.
    if (!has_host() || path_start_ == host_end_) return std::nullopt;
    return port_;
}

std::optional<std::uint16_t> Url::effective_port() const {
    if (const auto explicit_port = port()) return explicit_port;
    return detail::default_port(detail::scheme_of(scheme()));
}

std::string_view Url::search() const {
    const std::string_view query = part(query_start_, fragment_start_);
    return query.size() > 1 ? query : std::string_view();
}

std::string_view Url::hash() const {
    const std::string_view fragment = part(fragment_start_, href_.size());
    return fragment.size() > 1 ? fragment : std::string_view();
}

std::string Url::origin() const {
    using detail::Scheme;
    const Scheme kind = detail::scheme_of(scheme());
    if (detail::is_special(kind) && kind != Scheme::file) {
        return std::string(protocol()).append("//").append(host());
    }
    // Section 4.7 of the standard: a blob: URL has the origin of the URL in its path.
    if (scheme() == "blob") {
        const auto inner = parse(pathname());
        if (inner && inner->is_http()) return inner->origin();
    }
    return "null";
}

bool Url::is_http() const {
    return scheme_end_ <= 5 && href_.starts_with("http") && (scheme_end_ == 4 || href_[4] == 's');
}

bool Url::is_special() const {
    return detail::is_special(detail::scheme_of(scheme()));
}

Url Url::without_fragment() const {
    Url url = *this;
    url.href_.resize(fragment_start_);
    return url;
}

}  // namespace weft::web
