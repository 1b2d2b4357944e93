#pragma once

#include <string_view>

namespace weft::http {

// Whether the value of this request field is public: true for `Accept`, `User-Agent` and the like.
// All other fields may give access to something (Authorization, Cookie, X-Api-Key), so their values
// are neither shown nor stored unless the user asks for it.
//
// This is the only such list: archives, the settings of a crawl, `--dry-run` and messages use it.
// It names the public fields, so that an unknown field is kept secret.
bool is_open_field(std::string_view name);

// What is shown in place of a secret value.
inline constexpr std::string_view kRemoved = "[removed]";

}  // namespace weft::http
