#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"
#include "web/url/url_scheme.h"

namespace weft::web::detail {

// `text` as the percent-encoded query of a URL of this scheme. A null `encoder` means UTF-8. The
// encoder is used for http, https, ftp and file only.
std::string encode_query(std::string_view text, Scheme scheme, const QueryEncoder* encoder);

}  // namespace weft::web::detail
