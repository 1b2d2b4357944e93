#pragma once

#include <string>
#include <string_view>

// Characters that are not seen and yet do something: they drive a terminal, turn the order of what
// stands around them, or make two texts look the same. Nothing from outside is shown with them.
namespace weft {

// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional controls, the byte
// order mark, zero-width and other characters that Unicode lets a display ignore, and the two that
// are no characters (U+FFFE, U+FFFF).
bool is_hidden(char32_t c);

// Those of them that a terminal must not get. The others are needed to write some languages and
// emoji as they should look: joiners and variation selectors.
bool is_unprintable(char32_t c);

// "\u202e"; above U+FFFF two of them: how a string of JSON spells a character.
void append_json_escape(std::string& out, char32_t c);

// The text with every hidden character outside ASCII and DEL spelled so. For JSON that is made
// already: such characters stand only inside its strings.
std::string with_json_escapes(std::string text);

// The text with what is unprintable, but for line ends and tabs, and bytes that are no UTF-8 as
// \u{202e} and \x1b. For whole messages on their way to a terminal, whose parts are escaped already
// (escape.h): a last line of defence.
std::string with_visible_controls(std::string_view text);

}  // namespace weft
