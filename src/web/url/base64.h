#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::web {

// The bytes of base64 text as the web reads it ("forgiving-base64 decode" of the Infra standard):
// ASCII white space is passed over, padding may be missing but not wrong, bits left over are
// dropped. Nothing for text that is not base64.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace weft::web
