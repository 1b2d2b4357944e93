#include <utility>

#include "base/bytes.h"
#include "web/markup/html_scan.h"
#include "web/markup/html_tokenizer.h"

// The part of the tokenizer for markup that begins with `<!` or `<?`, or with `</` and no letter:
// comments, doctypes, and what the standard calls bogus comments.
namespace weft::web {
namespace {

constexpr std::string_view kComment = "--";
constexpr std::string_view kDoctype = "doctype";
constexpr std::string_view kCdata = "[CDATA[";

std::string_view declaration_word(char first) {
    if (first == '-') return kComment;
    if (to_lower(first) == 'd') return kDoctype;
    return first == '[' ? kCdata : std::string_view();
}

}  // namespace

// "Markup declaration open state". It matches letter by letter, because a piece may end anywhere.
const char* HtmlTokenizer::markup_declaration(const char* p) {
    if (match_count_ == 0) word_ = declaration_word(*p);
    const bool agrees = match_count_ < word_.size() &&
                        (word_ == kDoctype ? to_lower(*p) : *p) == word_[match_count_];
    if (!agrees) return begin_markup(State::bogus_comment, 2, p);
    if (++match_count_ < word_.size()) return p + 1;
    if (word_ == kComment) return begin_markup(State::comment_start, 4, p + 1);
    if (word_ == kDoctype) return begin_markup(State::doctype, 9, p + 1);
    if (!sink_.is_in_foreign_content()) return begin_markup(State::bogus_comment, 2, p + 1);
    holds_token_ = false;
    state_ = State::text;
    text_ = HtmlText::cdata;
    return p + 1;
}

// Continues at `p` with content that began `content_begin` bytes after the '<'. A comment is stored
// only if the sink wants comments.
const char* HtmlTokenizer::begin_markup(State state, std::size_t content_begin, const char* p) {
    state_ = state;
    content_begin_ = content_begin;
    holds_token_ = wants_comments_ || state == State::doctype;
    return p;
}

const char* HtmlTokenizer::markup_step(const char* p, const char* end) {
    p = find_far<'>'>(p, end);
    return p == end ? p : emit_markup(p, p + 1);
}

// The standard's comment states without those for `<!--` inside a comment: they only report an
// error.
const char* HtmlTokenizer::comment_step(const char* p, const char* end) {
    const bool may_end = state_ != State::comment && state_ != State::comment_end_dash;
    if (may_end && *p == '>') return emit_markup(p, p + 1);
    if (state_ == State::comment) {
        p = find_far<'-'>(p, end);
        if (p == end) return p;
        state_ = State::comment_end_dash;
        return p + 1;
    }
    if (state_ == State::comment_end && *p == '!') {
        state_ = State::comment_end_bang;
        return p + 1;
    }
    if (*p != '-') {
        state_ = State::comment;
        return p;
    }
    switch (state_) {
        case State::comment_start: state_ = State::comment_start_dash; break;
        case State::comment_end_bang: state_ = State::comment_end_dash; break;
        default: state_ = State::comment_end; break;
    }
    return p + 1;
}

// `content_end` is the '>', or null at the end of the document.
const char* HtmlTokenizer::emit_markup(const char* content_end, const char* after) {
    const State state = std::exchange(state_, State::text);
    if (!holds_token_) return after;
    std::size_t length = place(content_end);
    switch (state) {  // Dashes that could be the beginning of "-->" or "--!>" are not content.
        case State::comment_start_dash:
        case State::comment_end_dash: length -= 1; break;
        case State::comment_end: length -= 2; break;
        case State::comment_end_bang: length -= 3; break;
        default: break;
    }
    const std::string_view content =
        token_until(content_end).substr(0, length).substr(content_begin_);
    if (state == State::doctype) {
        sink_.doctype(parse_doctype(content, after != nullptr));
    } else if (wants_comments_ && state == State::bogus_comment && content_begin_ == 1) {
        sink_.instruction(normalized(content), after != nullptr);
    } else if (wants_comments_) {
        sink_.comment(normalized(content));
    }
    return after;
}

// The content of a comment with the line ends of all text, and without NULs.
std::string_view HtmlTokenizer::normalized(std::string_view content) {
    scratch_.clear();
    for (std::size_t i = 0; i < content.size(); ++i) {
        if (content[i] == '\n' && i > 0 && content[i - 1] == '\r') continue;
        if (content[i] == '\0') {
            scratch_ += "\xEF\xBF\xBD";
        } else {
            scratch_ += content[i] == '\r' ? '\n' : content[i];
        }
    }
    return scratch_;
}

}  // namespace weft::web
