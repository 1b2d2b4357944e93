#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// What must be escaped in Markdown, and the classes of characters that decide it (CommonMark 2.1).
namespace weft::extract {

struct EscapePlace {
    bool is_at_block_start = false;  // The text is the first of a paragraph's line.
    bool is_in_link = false;
    bool is_in_cell = false;
    bool is_before_link = false;  // A link follows directly.
    bool is_whole_line = false;
};

// Appends text so that it means itself, with a backslash only where one is needed.
void append_escaped(std::string_view text, const EscapePlace& place, std::string& out);

// `# a #` would lose its last '#'.
void escape_closing_hashes(std::string& out, std::size_t line_begin);

// Of UTF-8. REQUIRES: the text is not empty.
char32_t first_character(std::string_view text);
char32_t last_character(std::string_view text);
bool is_white(char32_t c);
bool is_punctuation(char32_t c);

}  // namespace weft::extract
