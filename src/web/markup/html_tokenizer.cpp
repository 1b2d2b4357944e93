#include "web/markup/html_tokenizer.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/markup/html_scan.h"

namespace weft::web {

void HtmlTokenizer::feed(std::string_view piece) {
    if (piece.empty()) return;
    const char* p = piece.data();
    const char* const end = p + piece.size();
    piece_begin_ = mark_ = p;
    while (p != end) p = step(p, end);
    // The piece may be gone before the next call, so an unfinished token is copied.
    if (holds_token_) {
        const auto held = static_cast<std::size_t>(end - mark_);
        carry_.append(mark_, std::min(held, limits::kTagBytesMax - carry_.size()));
        carried_ += held;
    }
    piece_offset_ += piece.size();
}

const char* HtmlTokenizer::step(const char* p, const char* end) {
    ++step_count_;
    switch (state_) {
        case State::text: return text_run(p, end);
        case State::reference: return reference(p, end);
        case State::tag_open: return tag_open(p);
        case State::end_tag_open: return end_tag_open(p);
        case State::tag_name:
        case State::before_attribute_name:
        case State::attribute_name:
        case State::after_attribute_name:
        case State::before_attribute_value:
        case State::attribute_value_double_quoted:
        case State::attribute_value_single_quoted:
        case State::attribute_value_unquoted:
        case State::self_closing_start_tag: return tag_step(p, end);
        case State::raw_less_than:
        case State::raw_end_tag_open:
        case State::raw_end_tag_name: return raw_end_tag(p, end);
        case State::script_escape_start:
        case State::script_escape_start_dash:
        case State::script_double_escape_edge:
        case State::script_double_escaped_less_than: return script_step(p);
        case State::markup_declaration: return markup_declaration(p);
        case State::bogus_comment:
        case State::doctype: return markup_step(p, end);
        case State::comment_start:
        case State::comment_start_dash:
        case State::comment:
        case State::comment_end_dash:
        case State::comment_end:
        case State::comment_end_bang: return comment_step(p, end);
        case State::cdata_bracket:
        case State::cdata_end: return cdata_step(p);
    }
    __builtin_unreachable();
}

// What the standard does at the end of the file in each state.
void HtmlTokenizer::finish() {
    piece_begin_ = mark_ = nullptr;
    switch (state_) {
        case State::reference: finish_reference(); break;
        case State::tag_open:
        case State::end_tag_open:
        case State::raw_less_than:
        case State::raw_end_tag_open:
        case State::raw_end_tag_name: token_is_text(nullptr); break;
        case State::markup_declaration:  // "<!doc" at the end is a bogus comment.
            content_begin_ = 2;
            emit_markup(nullptr, nullptr);
            break;
        case State::bogus_comment:
        case State::doctype:
        case State::comment_start:
        case State::comment_start_dash:
        case State::comment:
        case State::comment_end_dash:
        case State::comment_end:
        case State::comment_end_bang: emit_markup(nullptr, nullptr); break;
        case State::cdata_bracket: emit_text("]"); break;
        case State::cdata_end: emit_text("]]"); break;
        default: break;  // A tag without its '>' is dropped.
    }
    state_ = State::text;
    holds_token_ = false;
}

void HtmlTokenizer::reset() {
    start_in(HtmlText::data, {});
    holds_token_ = false;
    skips_line_feed_ = false;
    piece_offset_ = 0;
    step_count_ = 0;
}

void HtmlTokenizer::start_in(HtmlText text, std::string_view last_start_tag) {
    state_ = State::text;
    text_ = text;
    script_escape_ = ScriptEscape::none;
    dash_count_ = 0;
    last_start_tag_ = last_start_tag;
}

void HtmlTokenizer::begin_token(const char* p) {
    holds_token_ = true;
    mark_ = p;
    carried_ = 0;
    carry_.clear();
    token_offset_ = piece_offset_ + static_cast<std::size_t>(p - piece_begin_);
}

// The bytes of the token up to `p`, without a copy if it is all in this piece. Ends the token.
std::string_view HtmlTokenizer::token_until(const char* p) {
    const auto here = static_cast<std::size_t>(p - mark_);
    holds_token_ = false;
    if (carried_ == 0) return {mark_, std::min(here, limits::kTagBytesMax)};
    return carry_.append(mark_, std::min(here, limits::kTagBytesMax - carry_.size()));
}

// The token turned out to be text, not a tag or a declaration. Emits it up to `p` as text.
const char* HtmlTokenizer::token_is_text(const char* p) {
    state_ = State::text;
    emit_text(token_until(p));
    return p;
}

void HtmlTokenizer::emit_text(const char* begin, const char* end) {
    if (!wants_text_ || begin == end) return;
    sink_.text({begin, static_cast<std::size_t>(end - begin)});
}

}  // namespace weft::web
