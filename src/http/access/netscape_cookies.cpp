#include "http/access/netscape_cookies.h"

#include <array>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "base/bytes.h"

namespace weft::http {

namespace {

constexpr std::string_view kHttpOnly = "#HttpOnly_";
constexpr std::size_t kFieldCount = 7;

// Splits a line at tabs. The last field, the value, takes the rest, further tabs included.
std::optional<std::array<std::string_view, kFieldCount>> fields_of(std::string_view line) {
    std::array<std::string_view, kFieldCount> fields;
    for (std::size_t i = 0; i + 1 < kFieldCount; ++i) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos) {
            // The tab before an empty value is often missing.
            if (i + 2 != kFieldCount) return std::nullopt;
            fields[i] = line;
            return fields;
        }
        fields[i] = line.substr(0, tab);
        line.remove_prefix(tab + 1);
    }
    fields.back() = line;
    return fields;
}

}  // namespace

std::optional<web::Cookie> parse_netscape_line(std::string_view line) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    // Checked before comments: to other readers of the format such a line is a comment.
    const bool is_http_only = line.starts_with(kHttpOnly);
    if (is_http_only) line.remove_prefix(kHttpOnly.size());
    if (line.empty() || line.starts_with('#')) return std::nullopt;
    const auto fields = fields_of(line);
    if (!fields) return std::nullopt;
    const auto& [domain, below, path, secure, expires, name, value] = *fields;
    std::int64_t seconds = 0;
    const auto [end, error] =
        std::from_chars(expires.data(), expires.data() + expires.size(), seconds);
    if (error != std::errc() || end != expires.data() + expires.size()) return std::nullopt;
    web::Cookie cookie;
    cookie.name = name;
    cookie.value = value;
    // The dot says the same as the second field, which decides.
    cookie.domain = domain.starts_with('.') ? domain.substr(1) : domain;
    cookie.path = path;
    if (seconds > 0) cookie.expires = web::DateSeconds(std::chrono::seconds(seconds));
    cookie.is_host_only = !equals_ignore_case(below, "TRUE");
    cookie.is_secure = equals_ignore_case(secure, "TRUE");
    cookie.is_http_only = is_http_only;
    return cookie;
}

std::vector<web::Cookie> parse_netscape_cookies(std::string_view text) {
    std::vector<web::Cookie> cookies;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (auto cookie = parse_netscape_line(text.substr(0, end))) {
            cookies.push_back(*std::move(cookie));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return cookies;
}

std::string to_netscape_cookies(std::span<const web::Cookie* const> cookies) {
    std::string text = "# Netscape HTTP Cookie File\n# Written by weft; edit at will.\n\n";
    for (const web::Cookie* cookie : cookies) {
        fmt::format_to(std::back_inserter(text), "{}{}{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                       cookie->is_http_only ? kHttpOnly : "", cookie->is_host_only ? "" : ".",
                       cookie->domain, cookie->is_host_only ? "FALSE" : "TRUE", cookie->path,
                       cookie->is_secure ? "TRUE" : "FALSE",
                       cookie->expires ? cookie->expires->time_since_epoch().count() : 0,
                       cookie->name, cookie->value);
    }
    return text;
}

}  // namespace weft::http
