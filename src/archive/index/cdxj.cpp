#include "archive/index/cdxj.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/escape.h"

namespace weft::archive {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

// Removes a leading "www.", "www2." and the like, as replay tools do.
std::string_view without_www(std::string_view host) {
    if (!host.starts_with("www")) return host;
    std::size_t end = 3;
    while (end < host.size() && is_digit(host[end])) ++end;
    return end < host.size() && host[end] == '.' ? host.substr(end + 1) : host;
}

// "com,example" or "com,example:8080".
std::string reversed_authority(std::string_view authority, std::string_view default_port) {
    const std::size_t at = authority.rfind('@');
    if (at != std::string_view::npos) authority.remove_prefix(at + 1);
    std::string_view port;
    const std::size_t colon = authority.rfind(':');
    // A colon inside brackets belongs to an IPv6 address.
    if (colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos) {
        port = authority.substr(colon + 1);
        authority = authority.substr(0, colon);
    }
    std::vector<std::string_view> labels = split(without_www(authority), '.');
    std::ranges::reverse(labels);
    std::string key = fmt::format("{}", fmt::join(labels, ","));
    if (!port.empty() && port != default_port) key += fmt::format(":{}", port);
    return key;
}

// A key ends at the first space, and its line at the first line end.
std::string as_one_word(std::string text) {
    const auto is_space = [](unsigned char c) { return c <= 0x20; };
    if (std::ranges::none_of(text, is_space)) return text;
    std::string word;
    for (const char c : text) {
        if (is_space(static_cast<unsigned char>(c))) {
            word += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        } else {
            word += c;
        }
    }
    return word;
}

}  // namespace

std::string surt_key(std::string_view url) {
    // The whole key is in lower case, path and query included: replay tools look it up so.
    const std::string lower = to_lower(url);
    std::string_view rest = lower;
    const bool is_https = rest.starts_with("https://");
    if (!is_https && !rest.starts_with("http://")) return as_one_word(std::string(url));
    rest.remove_prefix(is_https ? 8 : 7);
    rest = rest.substr(0, rest.find('#'));
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    rest.remove_prefix(authority.size());
    const std::size_t mark = rest.find('?');
    const std::string_view path = rest.substr(0, mark);

    std::string key = reversed_authority(authority, is_https ? "443" : "80");
    key += fmt::format("){}", path.empty() ? "/" : path);
    if (mark != std::string_view::npos && mark + 1 < rest.size()) {
        std::vector<std::string_view> parts = split(rest.substr(mark + 1), '&');
        std::ranges::sort(parts);
        key += fmt::format("?{}", fmt::join(parts, "&"));
    }
    return as_one_word(std::move(key));
}

std::string make_cdxj_line(const CdxEntry& entry) {
    std::string line = fmt::format("{} {} {{\"url\":\"{}\"", surt_key(entry.target_uri),
                                   to_timestamp14(entry.date), escape_for_json(entry.target_uri));
    // The URL and the media type come from servers, so both are escaped.
    if (!entry.mime.empty()) line += fmt::format(",\"mime\":\"{}\"", escape_for_json(entry.mime));
    if (entry.status != 0) line += fmt::format(",\"status\":\"{}\"", entry.status);
    std::string_view digest = entry.digest;
    if (digest.starts_with("sha1:")) digest.remove_prefix(5);
    if (!digest.empty()) line += fmt::format(",\"digest\":\"{}\"", escape_for_json(digest));
    line += fmt::format(",\"length\":\"{}\",\"offset\":\"{}\",\"filename\":\"{}\"}}\n",
                        entry.length, entry.offset, escape_for_json(entry.filename));
    return line;
}

}  // namespace weft::archive
