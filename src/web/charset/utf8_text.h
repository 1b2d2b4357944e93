#pragma once

#include <string_view>

// Special characters, in UTF-8.
namespace weft::web {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

}  // namespace weft::web
