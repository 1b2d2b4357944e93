#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "web/fields/cookie.h"

// The cookie file that Netscape made and that curl, wget and browser extensions share: a line a
// cookie, seven fields between tabs; `#HttpOnly_` before the domain marks such cookies.
namespace weft::http {

// One line; nothing for comments, empty lines and what is no cookie.
std::optional<web::Cookie> parse_netscape_line(std::string_view line);

// All of a file; lines that are no cookies are passed over.
std::vector<web::Cookie> parse_netscape_cookies(std::string_view text);

// A whole file. Cookies for the session get the time 0, as curl writes them.
std::string to_netscape_cookies(std::span<const web::Cookie* const> cookies);

}  // namespace weft::http
