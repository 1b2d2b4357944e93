#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "web/fields/cookie.h"

// The Netscape cookie file, which curl, wget and browser extensions share. One cookie a line, seven
// fields separated by tabs; `#HttpOnly_` before the domain marks HttpOnly cookies.
namespace weft::http {

// The cookie of one line. Nothing for comments, empty lines and malformed lines.
std::optional<web::Cookie> parse_netscape_line(std::string_view line);

// All cookies of a file. Lines that are not cookies are ignored.
std::vector<web::Cookie> parse_netscape_cookies(std::string_view text);

// The text of a whole file. Session cookies get the expiry time 0, as curl writes them.
std::string to_netscape_cookies(std::span<const web::Cookie* const> cookies);

}  // namespace weft::http
