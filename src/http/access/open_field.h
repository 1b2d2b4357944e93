#pragma once

#include <string_view>

namespace weft::http {

// Whether the value of a request's field is no secret, by the field's name: `Accept`, `User-Agent`
// and the like. All others may let in somewhere (Authorization, Cookie, X-Api-Key), so their values
// are neither shown nor kept unless the user asks for it.
//
// The one list of this: archives, the settings of a crawl, `--dry-run` and messages go by it. It
// names what may be seen, so that a field that nobody thought of is kept secret.
bool is_open_field(std::string_view name);

// What stands in place of a secret value.
inline constexpr std::string_view kRemoved = "[removed]";

}  // namespace weft::http
