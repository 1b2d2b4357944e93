#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Text from outside may attack every place it is written to (H102). Each of these functions makes
// text safe for one such place, and there is no other way to write it there.
namespace weft {

// For a terminal or a log line: the result is one printable line. Characters that
// is_unprintable() names (hidden.h: controls, bidirectional overrides, zero-width characters) and
// bytes that are not UTF-8 become \xNN or \u{N}. A backslash becomes \\.
std::string escape_for_terminal(std::string_view text);
std::string shown(const std::filesystem::path& path);  // The same for a file name.

// The inside of a JSON string literal, without the quotes. Bytes that are not UTF-8 become U+FFFD.
// '<' and characters that is_hidden() names are escaped too, because JSON may be put into a script
// or shown on a terminal.
std::string escape_for_json(std::string_view text);
void append_for_json(std::string& out, std::string_view text);  // The same, appended to `out`.

// For the text of an HTML element or of a quoted attribute.
std::string escape_for_html(std::string_view text);

// The longest prefix of at most `bytes_max` bytes that does not end inside a UTF-8 sequence.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max);

// The valid UTF-8 sequence at the front of `text`: its length and its code point. The length is 0
// when no valid sequence starts there, or when `text` is empty.
struct Utf8Step {
    unsigned length = 0;
    char32_t code_point = 0;
};
Utf8Step utf8_step(std::string_view text);

}  // namespace weft
