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

// The URL standard's host parser (section 3.5). `opaque` is true for schemes that are not special:
// their hosts are plain text, not domains or IPv4 addresses.
std::expected<Host, UrlError> parse_host(std::string_view input, bool opaque);

// Whether DNS can look the name up: no label is empty or over 63 bytes, and the name has at most
// 253 bytes. One trailing dot is allowed. The URL standard does not check this, so a crawler should
// check it before a lookup.
bool fits_dns(std::string_view domain);

// Removes the brackets of an IPv6 address of a URL. Any other host is returned as it is.
std::string_view without_brackets(std::string_view host);

}  // namespace weft::web
