#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "web/url/url.h"

namespace weft::web {

struct Host {
    std::string text;  // As it stands in a URL: an IPv6 address in brackets.
    HostKind kind = HostKind::domain;
};

// The URL standard's host parser (section 3.5). `opaque` is for schemes that are not special: their
// hosts are neither domains nor IPv4 addresses, only text.
std::expected<Host, UrlError> parse_host(std::string_view input, bool opaque);

// Whether DNS can carry the name: no empty label (but for one trailing dot), none over 63 bytes,
// 253 in all. The URL standard does not ask; a crawler should before it looks the name up.
bool fits_dns(std::string_view domain);

// An IPv6 address as it stands in a URL without its brackets; anything else as it is.
std::string_view without_brackets(std::string_view host);

}  // namespace weft::web
