#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Text from outside is hostile in every sink (H102): these are the only ways it gets into one.
namespace weft {

// For a terminal or a log line: one line, printable. What is_unprintable() says of (hidden.h:
// controls, bidirectional overrides, zero-width characters) and bytes that are not UTF-8 become
// \xNN or \u{N}; a backslash becomes \\.
std::string escape_for_terminal(std::string_view text);
std::string shown(const std::filesystem::path& path);  // The same, of a name.

// The inside of a JSON string literal (without the quotes). Bytes that are not UTF-8 become U+FFFD;
// '<' and what is_hidden() are escaped too: the text may stand in a script, or on a terminal.
std::string escape_for_json(std::string_view text);
void append_for_json(std::string& out, std::string_view text);  // The same, at the end of `out`.

// The text of an HTML element or of a quoted attribute.
std::string escape_for_html(std::string_view text);

// Longest prefix of at most `bytes_max` bytes that does not end inside a UTF-8 sequence.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max);

// The length of the valid UTF-8 sequence at the front of `text` and its code point; length 0 when
// the first byte does not start one.
struct Utf8Step {
    unsigned length = 0;
    char32_t code_point = 0;
};
Utf8Step utf8_step(std::string_view text);

}  // namespace weft
