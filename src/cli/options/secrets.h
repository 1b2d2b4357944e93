#pragma once

#include <string>
#include <string_view>

// Which values of options are secrets, and how they are shown: the one list that `--dry-run`, the
// settings in a crawl's folder and error messages go by. The fields of requests have theirs in
// http/access/open_field.h.
namespace weft::cli {

// Whether this value of an option must not be shown or kept as it is. `option` is the first long
// name, without dashes: "user", "header". The values of some options are secrets always
// ("password"), of others by what is in them: `--proxy http://user:pass@host`, `--header
// 'X-Api-Key: ...'`,
// `--load-cookies 'a=b'` (but not the name of a file), a URL with a password.
bool is_secret(std::string_view option, std::string_view value);

// The value with "[removed]" in place of what is secret: "X-Api-Key: [removed]". Other values as
// they are.
std::string shown_value(std::string_view option, std::string_view value);

// A URL as typed, well-formed or not, without the user and password in it.
std::string without_login(std::string_view url);

}  // namespace weft::cli
