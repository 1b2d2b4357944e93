#pragma once

#include <cstddef>
#include <string_view>

namespace weft::extract {

// Our keys have no dots or one, and our numbers one.
inline constexpr std::size_t kTomlDotsMax = 16;

// The first line of a TOML text with more than kTomlDotsMax dots outside of strings and comments; 0
// if there is none. The TOML library calls itself for each part of a key, when it reads and when it
// frees, so a file that somebody made could overflow the stack: ask before parsing.
std::size_t line_of_deep_key(std::string_view toml);

}  // namespace weft::extract
