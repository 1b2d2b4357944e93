#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"
#include "web/url/url_scheme.h"

namespace weft::web::detail {

// `text` as the query of a URL of this scheme, percent-encoded. `encoder` may be null (UTF-8) and
// counts for http, https, ftp and file only.
std::string encode_query(std::string_view text, Scheme scheme, const QueryEncoder* encoder);

}  // namespace weft::web::detail
