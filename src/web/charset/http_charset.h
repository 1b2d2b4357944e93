#pragma once

#include <optional>
#include <string_view>

#include "web/charset/encoding.h"

namespace weft::web::detail {

// The encoding that a Content-Type header asks for; several headers come joined by ", ", as the
// Fetch standard joins them. None if the value is no MIME type, names no charset, or one that is no
// encoding.
std::optional<Encoding> http_charset(std::string_view content_type);

}  // namespace weft::web::detail
