#pragma once

#include <string>
#include <string_view>

// Which values of options are secrets, and how they are shown. `--dry-run`, the settings in a
// crawl's folder and error messages all use this list. Request header fields have their own list in
// http/access/open_field.h.
namespace weft::cli {

// Whether this value of an option must not be shown or stored. `option` is the first long name
// without dashes: "user", "header". The values of some options are always secret ("password").
// Others depend on the value: `--proxy http://user:pass@host`, `--header 'X-Api-Key: ...'`,
// `--load-cookies 'a=b'` (but not the name of a file), a URL with a password.
bool is_secret(std::string_view option, std::string_view value);

// The value with "[removed]" in place of its secret part: "X-Api-Key: [removed]". Values without a
// secret are unchanged.
std::string shown_value(std::string_view option, std::string_view value);

// A URL as typed, valid or not, without its user and password.
std::string without_login(std::string_view url);

}  // namespace weft::cli
