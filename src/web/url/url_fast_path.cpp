#include "web/url/url_fast_path.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "web/url/percent.h"
#include "web/url/url_scheme.h"

namespace weft::web {
namespace {

// The bytes that each part of a URL may hold without a change.
constexpr unsigned kInHost = 1 << 0;
constexpr unsigned kInPath = 1 << 1;  // Without "." and "%": read_path() looks at them.
constexpr unsigned kInQuery = 1 << 2;
constexpr unsigned kInFragment = 1 << 3;
constexpr unsigned kInScheme = 1 << 4;

constexpr std::array<std::uint8_t, 256> make_kinds() {
    std::array<std::uint8_t, 256> kinds{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        unsigned kind = 0;
        if (is_alnum(c) || c == '-' || c == '.' || c == '_') kind |= kInHost;
        if (is_alnum(c) || c == '+' || c == '-' || c == '.') kind |= kInScheme;
        if (!needs_percent(c, PercentSet::path) && c != '\\' && c != '.' && c != '%') {
            kind |= kInPath;
        }
        if (!needs_percent(c, PercentSet::special_query)) kind |= kInQuery;
        if (!needs_percent(c, PercentSet::fragment)) kind |= kInFragment;
        kinds[byte] = static_cast<std::uint8_t>(kind);
    }
    return kinds;
}

constexpr std::array<std::uint8_t, 256> kKinds = make_kinds();

std::string_view trim_controls(std::string_view text) {
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool starts_with_scheme(std::string_view text) {
    if (!is_alpha(text[0])) return false;
    for (const char c : text) {
        if ((kKinds[static_cast<unsigned char>(c)] & kInScheme) == 0) return c == ':';
    }
    return false;
}

// The length of "http:" or "https:" where "//" follows it, else 0.
std::size_t http_prefix(std::string_view text) {
    if (text.starts_with("https://")) return 6;
    if (text.starts_with("http://")) return 5;
    return 0;
}

// Whether the host is four decimal numbers up to 255 in their shortest form. The other forms that
// the standard allows (hexadecimal, fewer parts) are rare.
bool is_plain_ipv4(std::string_view host) {
    std::size_t at = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0 && (at >= host.size() || host[at++] != '.')) return false;
        const std::size_t start = at;
        unsigned value = 0;
        while (at < host.size() && is_digit(host[at]) && at - start < 3) {
            value = value * 10 + static_cast<unsigned>(host[at++] - '0');
        }
        if (at == start || value > 255 || (host[start] == '0' && at - start > 1)) return false;
    }
    return at == host.size();
}

}  // namespace

std::optional<Url> UrlFastPath::parse(std::string_view text) {
    text = trim_controls(text);
    const std::size_t prefix = http_prefix(text);
    if (prefix == 0) return std::nullopt;
    UrlFastPath path({}, text);
    path.url_.scheme_end_ = static_cast<std::uint32_t>(prefix - 1);
    path.at_ = prefix;
    if (!path.read_authority() || !path.read_path()) return std::nullopt;
    return std::move(path.url_);
}

std::optional<Url> UrlFastPath::resolve(const Url& base, std::string_view reference) {
    if (!base.is_http()) return parse(reference);
    reference = trim_controls(reference);
    if (reference.empty()) return std::nullopt;
    if (starts_with_scheme(reference)) return parse(reference);
    if (reference.starts_with("//")) {
        UrlFastPath path(base.protocol(), reference);
        path.url_.scheme_end_ = base.scheme_end_;
        if (!path.read_authority() || !path.read_path()) return std::nullopt;
        return std::move(path.url_);
    }
    return resolve_path(base, reference);
}

std::optional<Url> UrlFastPath::resolve_path(const Url& base, std::string_view reference) {
    // How much of the base the result keeps depends on the first byte of the reference. A relative
    // path replaces the part after the last slash.
    const std::string_view href = base.href_;
    std::size_t kept = 0;
    switch (reference[0]) {
        case '#': kept = base.fragment_start_; break;
        case '?': kept = base.query_start_; break;
        case '/': kept = base.path_start_; break;
        default: kept = href.rfind('/', base.query_start_ - 1) + 1; break;
    }
    UrlFastPath path(href.substr(0, kept), reference);
    path.copy_authority(base);
    path.url_.query_start_ = base.query_start_;
    path.url_.fragment_start_ = base.fragment_start_;
    const bool is_plain = reference[0] == '#'   ? path.read_fragment()
                          : reference[0] == '?' ? path.read_query()
                                                : path.read_path();
    if (!is_plain) return std::nullopt;
    return std::move(path.url_);
}

UrlFastPath::UrlFastPath(std::string_view prefix, std::string_view rest) : at_(prefix.size()) {
    url_.href_.reserve(prefix.size() + rest.size() + 1);  // One more for a missing "/".
    url_.href_.append(prefix).append(rest);
}

void UrlFastPath::copy_authority(const Url& base) {
    url_.scheme_end_ = base.scheme_end_;
    url_.username_end_ = base.username_end_;
    url_.host_start_ = base.host_start_;
    url_.host_end_ = base.host_end_;
    url_.path_start_ = base.path_start_;
    url_.port_ = base.port_;
    url_.kind_of_host_ = base.kind_of_host_;
}

// Reads a domain or an IPv4 address without credentials. Leaves `at_` at the path, and inserts a
// "/" if the path is empty.
bool UrlFastPath::read_authority() {
    std::string& href = url_.href_;
    at_ += 2;
    const std::size_t start = at_;
    skip(kInHost);
    const std::string_view host = std::string_view(href).substr(start, at_ - start);
    if (host.empty() || host.back() == '.') return false;
    // The standard takes a host whose last label is a number for an IPv4 address. A label that only
    // starts with a digit is rare, so the slow path decides that too.
    const bool is_address = is_digit(host[host.rfind('.') + 1]);
    if (is_address && !is_plain_ipv4(host)) return false;
    url_.username_end_ = url_.host_start_ = static_cast<std::uint32_t>(start);
    url_.host_end_ = static_cast<std::uint32_t>(at_);
    url_.kind_of_host_ = is_address ? HostKind::ipv4 : HostKind::domain;
    lower_host();
    if (!at_end() && href[at_] == ':' && !read_port()) return false;
    if (!ends_segment(at_)) return false;
    url_.path_start_ = static_cast<std::uint32_t>(at_);
    if (at_end() || href[at_] != '/') href.insert(at_, 1, '/');
    return true;
}

// Reads a port in its shortest form. False for a default port: it would have to be removed, and it
// is rare.
bool UrlFastPath::read_port() {
    const std::string& href = url_.href_;
    const std::size_t start = ++at_;
    unsigned port = 0;
    while (at_ < href.size() && is_digit(href[at_]) && at_ - start < 5) {
        port = port * 10 + static_cast<unsigned>(href[at_++] - '0');
    }
    if (at_ == start || (href[start] == '0' && at_ - start > 1) || port > 65535) return false;
    url_.port_ = static_cast<std::uint16_t>(port);
    return port != detail::default_port(detail::scheme_of(url_.scheme()));
}

bool UrlFastPath::read_path() {
    const std::string& href = url_.href_;
    while (true) {
        skip(kInPath);
        if (at_end() || href[at_] == '?' || href[at_] == '#') break;
        // Dot segments are removed later. A "%2e" may be a dot segment too, but it is rare.
        if (href[at_] == '.') {
            if (href[at_ - 1] == '/' &&
                (ends_segment(at_ + 1) || (href[at_ + 1] == '.' && ends_segment(at_ + 2)))) {
                has_dot_segments_ = true;
            }
        } else if (href[at_] != '%' || (at_ + 2 < href.size() && href[at_ + 1] == '2' &&
                                        to_lower(href[at_ + 2]) == 'e')) {
            return false;
        }
        ++at_;
    }
    if (has_dot_segments_) remove_dot_segments();
    url_.query_start_ = static_cast<std::uint32_t>(at_);
    return read_query();
}

bool UrlFastPath::read_query() {
    if (!at_end() && url_.href_[at_] == '?') {
        ++at_;
        skip(kInQuery);
    }
    url_.fragment_start_ = static_cast<std::uint32_t>(at_);
    return read_fragment();
}

bool UrlFastPath::read_fragment() {
    if (at_end()) return true;
    if (url_.href_[at_] != '#') return false;
    ++at_;
    skip(kInFragment);
    return at_end();
}

void UrlFastPath::lower_host() {
    char* const begin = url_.href_.data() + url_.host_start_;
    char* const end = url_.href_.data() + url_.host_end_;
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (std::find_if(begin, end, is_upper) == end) return;  // Reading is cheaper than writing.
    std::transform(begin, end, begin, [](char c) { return to_lower(c); });
}

// Removes dot segments from the path, which ends at `at_`, and moves `at_` to the new end. It
// copies each kept segment to the front of the buffer, which never overtakes the segment being
// read.
void UrlFastPath::remove_dot_segments() {
    std::string& href = url_.href_;
    const std::size_t start = url_.path_start_;
    std::size_t out = start;
    for (std::size_t slash = start; slash < at_;) {
        const std::size_t end = std::min(href.find('/', slash + 1), at_);
        const std::string_view segment = std::string_view(href).substr(slash + 1, end - slash - 1);
        const bool is_last = end == at_;
        if (segment == "." || segment == "..") {
            if (segment == ".." && out > start) out = href.rfind('/', out - 1);
            if (is_last) href[out++] = '/';
        } else {
            std::copy(href.data() + slash, href.data() + end, href.data() + out);
            out += end - slash;
        }
        slash = end;
    }
    href.erase(out, at_ - out);
    at_ = out;
}

bool UrlFastPath::ends_segment(std::size_t at) const {
    const std::string& href = url_.href_;
    return at >= href.size() || href[at] == '/' || href[at] == '?' || href[at] == '#';
}

// Looks at four bytes a step: one branch for four lookups.
void UrlFastPath::skip(unsigned kinds) {
    const auto* const begin = reinterpret_cast<const unsigned char*>(url_.href_.data());
    const auto* const end = begin + url_.href_.size();
    const auto* at = begin + at_;
    while (end - at >= 4 &&
           (kKinds[at[0]] & kKinds[at[1]] & kKinds[at[2]] & kKinds[at[3]] & kinds) != 0) {
        at += 4;
    }
    while (at != end && (kKinds[*at] & kinds) != 0) ++at;
    at_ = static_cast<std::size_t>(at - begin);
}

}  // namespace weft::web
