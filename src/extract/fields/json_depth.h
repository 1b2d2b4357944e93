#pragma once

#include <string_view>

namespace weft::extract {

// Whether a JSON text has more than `levels` nested arrays and objects. Asked before parsing,
// because the parser's own stack grows with the depth.
bool is_json_deeper(std::string_view text, int levels);

}  // namespace weft::extract
