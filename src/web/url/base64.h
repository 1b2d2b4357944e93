#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::web {

// Decodes base64 as browsers do ("forgiving-base64 decode" of the Infra standard): ASCII white
// space is ignored, padding may be missing but not wrong, and left-over bits are dropped. Text that
// is not base64 gives nothing.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace weft::web
