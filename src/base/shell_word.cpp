#include "base/shell_word.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/escape.h"

namespace weft {
namespace {

// Characters that no POSIX shell gives a meaning. '~' and '=' are not among them: their meaning
// depends on the place in the word.
bool is_plain(char c) {
    const bool is_beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    return is_alnum(c) || is_beyond_ascii || std::string_view("_./:@%+,-").contains(c);
}

}  // namespace

std::string shell_word(std::string_view text) {
    if (!text.empty() && std::ranges::all_of(text, is_plain)) return escape_for_terminal(text);
    std::string word = "'";
    while (!text.empty()) {
        // Inside single quotes only the quote itself is special: it ends them, is written as \' and
        // opens them again. A backslash stands for itself, so it must not be doubled.
        const std::size_t length = std::max(utf8_step(text).length, 1U);
        const std::string_view step = text.substr(0, length);
        word += step == "'" ? "'\\''" : step == "\\" ? "\\" : escape_for_terminal(step);
        text.remove_prefix(length);
    }
    return word + "'";
}

}  // namespace weft
