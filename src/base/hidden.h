#pragma once

#include <string>
#include <string_view>

// Characters that are invisible and still have an effect: they control a terminal, reverse the
// order of the text around them, or make two texts look the same. Text from outside is never shown
// with them.
namespace weft {

// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional controls, the byte
// order mark, zero-width and other characters that Unicode lets a display ignore, and two code
// points that are not characters (U+FFFE, U+FFFF).
bool is_hidden(char32_t c);

// The hidden characters that must not reach a terminal. The other hidden characters, joiners and
// variation selectors, are allowed: some languages and emoji need them to look right.
bool is_unprintable(char32_t c);

// Appends the character as a JSON escape: "\u202e", or two of them (a surrogate pair) above U+FFFF.
void append_json_escape(std::string& out, char32_t c);

// Replaces DEL and every hidden character outside ASCII by its JSON escape. For a finished JSON
// text: there such characters occur only inside strings.
std::string with_json_escapes(std::string text);

// Replaces unprintable characters by \u{202e} or \x1b, and bytes that are not UTF-8 by \xNN. Line
// ends and tabs stay. For whole messages on their way to a terminal: their parts are escaped
// already (escape.h), so this is the last line of defence.
std::string with_visible_controls(std::string_view text);

}  // namespace weft
