#include "demo/little_url.h"

#include <charconv>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"

namespace weft::demo {

namespace {

constexpr std::string_view kScheme = "http://";

std::string clean(std::string_view reference) {
    std::string text;
    for (const char c : trim(reference)) {
        if (c == '\t' || c == '\n' || c == '\r') continue;
        text += c;
    }
    text = text.substr(0, text.find('#'));
    for (char& c : text) {
        if (c == '?') break;
        if (c == '\\') c = '/';
    }
    return text;
}

std::optional<std::uint64_t> parse_number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value, base);
    if (error != std::errc() || end != text.end()) return std::nullopt;
    return value;
}

// "127.1", "2130706433" and "0x7f.0.0.1" are 127.0.0.1.
std::optional<std::string> four_parts(std::string_view host) {
    if (host.ends_with('.')) host.remove_suffix(1);
    std::vector<std::uint64_t> parts;
    while (!host.empty()) {
        const std::string_view part = host.substr(0, host.find('.'));
        host.remove_prefix(std::min(host.size(), part.size() + 1));
        const bool is_hex = part.starts_with("0x");
        const auto number = parse_number(is_hex ? part.substr(2) : part, is_hex ? 16 : 10);
        if (!number) return std::nullopt;
        parts.push_back(*number);
    }
    if (parts.empty() || parts.size() > 4) return std::nullopt;
    std::uint64_t address = parts.back();
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) address |= parts[i] << (24 - 8 * i);
    return fmt::format("{}.{}.{}.{}", address >> 24 & 255, address >> 16 & 255, address >> 8 & 255,
                       address & 255);
}

std::optional<std::string> authority_of(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto host = four_parts(text.substr(0, colon));
    if (!host || colon == std::string_view::npos) return host;
    const auto port = parse_number(text.substr(colon + 1), 10);
    if (!port || *port > 65'535) return std::nullopt;
    return fmt::format("{}:{}", *host, *port);
}

std::string normalise_escapes(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%' && i + 2 < text.size()) {
            const char decoded =
                static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            const bool is_plain = is_alnum(decoded) || decoded == '.' || decoded == '-';
            out += is_plain ? std::string(1, decoded)
                            : fmt::format("%{:02X}", static_cast<unsigned char>(decoded));
            i += 2;
        } else if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7F) {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out;
}

std::string without_dots(std::string_view path) {
    std::vector<std::string_view> segments;
    bool is_folder = false;
    path.remove_prefix(1);
    for (bool more = true; more;) {
        const std::size_t slash = path.find('/');
        const std::string_view segment = path.substr(0, slash);
        more = slash != std::string_view::npos;
        path.remove_prefix(more ? slash + 1 : path.size());
        is_folder = segment == "." || segment == "..";
        if (segment == ".." && !segments.empty()) segments.pop_back();
        if (!is_folder) segments.push_back(segment);
    }
    return fmt::format("/{}{}", fmt::join(segments, "/"),
                       is_folder && !segments.empty() ? "/" : "");
}

}  // namespace

std::optional<std::string> resolve(std::string_view base, std::string_view reference) {
    std::string text = clean(reference);
    const std::size_t colon = text.find_first_of(":/?");
    if (colon != std::string::npos && text[colon] == ':' && is_alpha(text[0])) {
        if (to_lower(std::string_view(text).substr(0, colon)) != "http") return std::nullopt;
        text.erase(0, colon + 1);
    }
    const std::string_view base_rest = base.substr(kScheme.size());
    const std::string_view base_authority = base_rest.substr(0, base_rest.find('/'));
    std::string_view base_path = base_rest.substr(base_authority.size());

    std::optional<std::string> authority = std::string(base_authority);
    if (text.starts_with("//")) {
        const std::size_t end = text.find_first_of("/?", 2);
        authority = authority_of(std::string_view(text).substr(2, end - 2));
        text.erase(0, end);
        if (text.empty()) text = "/";
    } else if (text.empty()) {
        text = base_path;
    } else if (text.starts_with('?')) {
        text.insert(0, base_path.substr(0, base_path.find('?')));
    } else if (!text.starts_with('/')) {
        base_path = base_path.substr(0, base_path.find('?'));
        text.insert(0, base_path.substr(0, base_path.rfind('/') + 1));
    }
    if (!authority) return std::nullopt;
    const std::size_t mark = text.find('?');
    const std::string path = without_dots(normalise_escapes(text.substr(0, mark)));
    const std::string query = mark == std::string::npos ? "" : normalise_escapes(text.substr(mark));
    return fmt::format("{}{}{}{}", kScheme, *authority, path, query);
}

}  // namespace weft::demo
