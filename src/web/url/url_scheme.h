#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// The special schemes: those that the URL standard parses by rules of their own.
namespace weft::web::detail {

enum class Scheme : std::uint8_t { other, ftp, file, http, https, ws, wss };

// REQUIRES: `name` is in lower case and without the colon.
constexpr Scheme scheme_of(std::string_view name) {
    if (name == "https") return Scheme::https;
    if (name == "http") return Scheme::http;
    if (name == "file") return Scheme::file;
    if (name == "ftp") return Scheme::ftp;
    if (name == "ws") return Scheme::ws;
    if (name == "wss") return Scheme::wss;
    return Scheme::other;
}

constexpr bool is_special(Scheme scheme) {
    return scheme != Scheme::other;
}

constexpr std::optional<std::uint16_t> default_port(Scheme scheme) {
    switch (scheme) {
        case Scheme::http:
        case Scheme::ws: return 80;
        case Scheme::https:
        case Scheme::wss: return 443;
        case Scheme::ftp: return 21;
        case Scheme::file:
        case Scheme::other: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace weft::web::detail
