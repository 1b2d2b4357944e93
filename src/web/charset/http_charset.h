#pragma once

#include <optional>
#include <string_view>

#include "web/charset/encoding.h"

namespace weft::web::detail {

// The encoding that a Content-Type header names. The caller joins several fields by ", ", as the
// Fetch standard does. None if the value is not a MIME type, has no charset, or has an unknown one.
std::optional<Encoding> http_charset(std::string_view content_type);

}  // namespace weft::web::detail
