#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace weft::extract {

// Our keys have no dots or one, and our numbers one.
inline constexpr std::size_t kTomlDotsMax = 16;

// An assertion of the TOML library failed: for some texts, such as "[{", it takes its own check of
// the syntax for granted.
struct TomlAssertion {};

}  // namespace weft::extract

// Every source includes the library by this header, so that its assertions throw everywhere.
#define TOML_ASSERT(expression) \
    ((expression) ? static_cast<void>(0) : throw weft::extract::TomlAssertion{})
#include <toml++/toml.h>

namespace weft::extract {

// Why a text is no TOML, and where; both count from 1.
struct TomlError {
    std::size_t line = 1;
    std::size_t column = 1;
    std::string reason;
};

// Parses a text that somebody else may have made. A line with more than kTomlDotsMax dots outside
// of strings and comments is refused: the library calls itself for each part of a key, when it
// reads and when it frees, so such a file could overflow the stack.
std::expected<toml::table, TomlError> parse_toml(std::string_view text);

}  // namespace weft::extract
