#include "web/host/host.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "web/host/idna.h"
#include "web/host/ip_address.h"
#include "web/url/percent.h"

namespace weft::web {
namespace {

constexpr std::size_t kDnsLabelBytesMax = 63;
constexpr std::size_t kDnsNameBytesMax = 253;

// "Forbidden host code points" and "forbidden domain code points" of the URL standard.
constexpr std::string_view kForbiddenInHost{"\0\t\n\r #/:<>?@[\\]^|", 17};

constexpr std::array<bool, 256> make_forbidden_in_domain() {
    std::array<bool, 256> forbidden{};
    for (std::size_t byte = 0; byte < 0x20; ++byte) forbidden[byte] = true;
    for (const char c : kForbiddenInHost) forbidden[static_cast<unsigned char>(c)] = true;
    forbidden['%'] = true;
    forbidden[0x7F] = true;
    return forbidden;
}

constexpr std::array<bool, 256> kForbiddenInDomain = make_forbidden_in_domain();

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Since 2026 the standard only lower-cases an ASCII domain and does not check it further, because
// names with broken xn-- labels are in use.
std::expected<std::string, UrlError> ascii_domain(std::string_view domain) {
    if (is_ascii(domain)) return to_lower(domain);
    std::optional<std::string> ascii = domain_to_ascii(domain);
    if (!ascii) return std::unexpected(UrlError::bad_domain);
    return *std::move(ascii);
}

std::expected<Host, UrlError> parse_opaque_host(std::string_view input) {
    if (input.find_first_of(kForbiddenInHost) != std::string_view::npos) {
        return std::unexpected(UrlError::bad_host);
    }
    Host host{.text = {}, .kind = HostKind::opaque};
    append_percent_encoded(host.text, input, PercentSet::c0_control);
    return host;
}

}  // namespace

std::expected<Host, UrlError> parse_host(std::string_view input, bool opaque) {
    if (input.starts_with('[')) {
        if (!input.ends_with(']')) return std::unexpected(UrlError::bad_ipv6);
        const auto address = parse_ipv6(input.substr(1, input.size() - 2));
        if (!address) return std::unexpected(UrlError::bad_ipv6);
        return Host{.text = "[" + to_string(*address) + "]", .kind = HostKind::ipv6};
    }
    if (opaque) return parse_opaque_host(input);

    auto domain = input.contains('%') ? ascii_domain(percent_decode(input)) : ascii_domain(input);
    if (!domain) return std::unexpected(domain.error());
    if (domain->empty()) return std::unexpected(UrlError::missing_host);
    const auto is_forbidden = [](char c) {
        return kForbiddenInDomain[static_cast<unsigned char>(c)];
    };
    // This check comes after decoding and mapping, because both can produce such characters
    // ("%2F").
    if (std::ranges::any_of(*domain, is_forbidden)) return std::unexpected(UrlError::bad_host);

    if (ends_in_number(*domain)) {
        const auto address = parse_ipv4(*domain);
        if (!address) return std::unexpected(UrlError::bad_ipv4);
        return Host{.text = to_string(*address), .kind = HostKind::ipv4};
    }
    return Host{.text = std::move(*domain), .kind = HostKind::domain};
}

bool fits_dns(std::string_view domain) {
    if (domain.ends_with('.')) domain.remove_suffix(1);
    if (domain.empty() || domain.size() > kDnsNameBytesMax) return false;
    while (true) {
        const std::size_t dot = std::min(domain.find('.'), domain.size());
        if (dot == 0 || dot > kDnsLabelBytesMax) return false;
        if (dot == domain.size()) return true;
        domain.remove_prefix(dot + 1);
    }
}

std::string_view without_brackets(std::string_view host) {
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    return host;
}

}  // namespace weft::web
