#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "web/url/url.h"

namespace weft::extract {

// The URL that a reference in a page means, as text: resolved against `base`, or as written if that
// is null. Nothing if it is no URL, or one that runs or contains its own content (javascript:,
// vbscript:, data:).
std::optional<std::string> link_target(std::string_view reference, const web::Url* base);

}  // namespace weft::extract
