#include "web/html/collapsed_text.h"

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "web/markup/html_scan.h"

namespace weft::web {

void CollapsedText::append(std::string_view piece) {
    const char* p = piece.data();
    const char* const end = p + piece.size();
    while (p != end && !is_full_) {
        if (is_html_space(*p)) {
            has_space_ = true;
            ++p;
        } else if (*p == '\0') {
            ++p;
        } else {
            const char* word = p;
            while (p != end && !is_html_space(*p) && *p != '\0') ++p;
            append_word({word, static_cast<std::size_t>(p - word)});
        }
    }
}

void CollapsedText::append_word(std::string_view word) {
    // A space is written only together with the word after it.
    const std::size_t space = has_space_ && !text_.empty() ? 1 : 0;
    has_space_ = false;
    const std::size_t room = bytes_max_ - text_.size();
    is_full_ = space + word.size() > room;
    if (space + 1 > room) return;
    text_.append(space, ' ');
    text_ += word.substr(0, room - space);
}

std::string CollapsedText::take() {
    if (is_full_) drop_partial_character();
    if (text_.ends_with(' ')) text_.pop_back();
    has_space_ = false;
    is_full_ = false;
    return std::exchange(text_, {});
}

// Removes a UTF-8 sequence that the limit cut: a lead byte among the last three bytes without all
// of its trail bytes.
void CollapsedText::drop_partial_character() {
    const std::size_t size = text_.size();
    for (std::size_t back = 1; back <= std::min<std::size_t>(size, 3); ++back) {
        const auto byte = static_cast<unsigned char>(text_[size - back]);
        if ((byte & 0xC0) == 0x80) continue;
        if (byte >= 0xC0 && utf8_step(std::string_view(text_).substr(size - back)).length == 0) {
            text_.resize(size - back);
        }
        return;
    }
}

}  // namespace weft::web
