#include "base/bytes.h"
#include "web/charset/utf8_text.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_scan.h"
#include "web/markup/html_tokenizer.h"

// The part of the tokenizer for content: text, character references in it, scripts and CDATA
// sections.
namespace weft::web {
namespace {

constexpr std::size_t kMismatch = 100;  // The letters so far are not a prefix of "script".

}  // namespace

const char* HtmlTokenizer::text_run(const char* p, const char* end) {
    if (skips_line_feed_) {
        skips_line_feed_ = false;
        if (*p == '\n') return p + 1;
    }
    if (text_ == HtmlText::cdata) return cdata_run(p, end);
    if (script_escape_ != ScriptEscape::none) return script_escaped_run(p, end);
    // Without text, references and line ends do not matter: only a '<' does.
    if (!wants_text_) {
        if (text_ == HtmlText::plaintext) return end;
        if (text_ == HtmlText::data) {
            const auto at = static_cast<std::size_t>(p - piece_begin_);
            p = sink_.read_tags(p, end, piece_offset_ + at);
            if (p == end || wants_text_) return p;
        }
        const char* stop = find_far<'<'>(p, end);
        return stop == end ? end : text_stop(stop, end);
    }
    const char* stop = find_any<'<', '&', '\r', '\0'>(p, end);
    emit_text(p, stop);
    return stop == end ? end : text_stop(stop, end);
}

// Handles a byte that may have a meaning of its own: '<', '&', CR or NUL.
const char* HtmlTokenizer::text_stop(const char* stop, const char* end) {
    switch (*stop) {
        case '<':
            if (text_ == HtmlText::plaintext) break;
            begin_token(stop);
            if (text_ != HtmlText::data) {
                state_ = State::raw_less_than;
                return stop + 1;
            }
            state_ = State::tag_open;
            return quick_tag(stop + 1, end);
        case '&':
            if (text_ != HtmlText::data && text_ != HtmlText::rcdata) break;
            state_ = State::reference;
            reference_[0] = '&';
            reference_size_ = 1;
            return stop + 1;
        case '\r':
            skips_line_feed_ = true;
            emit_text("\n");
            return stop + 1;
        case '\0':
            if (text_ == HtmlText::data || text_ == HtmlText::cdata) break;
            emit_text(kReplacementText);
            return stop + 1;
        default: break;
    }
    emit_text(stop, stop + 1);
    return stop + 1;
}

const char* HtmlTokenizer::reference(const char* p, const char* end) {
    for (; p != end; ++p) {
        if (takes_into_reference(*p)) continue;
        if (*p == ';' && reference_size_ > 1) reference_[reference_size_++] = *p++;
        finish_reference();
        return p;
    }
    return p;
}

// Adds `c` to the reference, or returns false if it does not belong to it. Of a number it stores
// only the digits that matter: leading zeros are dropped, and eight other digits are more than any
// character has.
bool HtmlTokenizer::takes_into_reference(char c) {
    if (reference_size_ == 1) {
        if (c != '#' && !is_alnum(c)) return false;
    } else if (reference_[1] != '#') {
        if (!is_alnum(c) || reference_size_ == kReferenceNameBytesMax + 1) return false;
    } else {
        const bool is_hex = reference_size_ > 2 && (reference_[2] | 0x20) == 'x';
        const std::size_t digit_count = reference_size_ - (is_hex ? 3 : 2);
        const bool begins_hex = reference_size_ == 2 && (c | 0x20) == 'x';
        if (!begins_hex && !(is_hex ? is_hex_digit(c) : is_digit(c))) return false;
        if (digit_count == 1 && reference_[reference_size_ - 1] == '0') --reference_size_;
        if (digit_count == 8) return true;
    }
    reference_[reference_size_++] = c;
    return true;
}

void HtmlTokenizer::finish_reference() {
    state_ = State::text;
    const std::string_view source(reference_.data(), reference_size_);
    const CharacterReference found = match_reference(source, ReferencePlace::text);
    emit_text(found.characters());
    emit_text(source.substr(found.length));
}

// Inside `<!--` of a script ("script data escaped state" and those after it). "-->" ends it.
const char* HtmlTokenizer::script_escaped_run(const char* p, const char* end) {
    if (*p == '>' && dash_count_ == 2) script_escape_ = ScriptEscape::none;
    const bool is_dash = *p == '-';
    dash_count_ = is_dash && dash_count_ < 2 ? dash_count_ + 1 : is_dash ? 2 : 0;
    if (is_dash || *p == '>') {
        emit_text(p, p + 1);
        return p + 1;
    }
    if (*p == '<' && script_escape_ == ScriptEscape::double_escaped) {
        emit_text(p, p + 1);
        state_ = State::script_double_escaped_less_than;
        return p + 1;
    }
    if (*p == '<' || *p == '\r' || *p == '\0') return text_stop(p, end);
    const char* stop = find_any<'<', '-', '\r', '\0'>(p, end);
    emit_text(p, stop);
    return stop;
}

// After a '<' in a script: `<!` may start an escape, and a letter inside an escape may start
// `<script`.
const char* HtmlTokenizer::script_less_than(const char* p) {
    if (*p == '!' && script_escape_ == ScriptEscape::none) {
        token_is_text(p);
        state_ = State::script_escape_start;
        emit_text(p, p + 1);
        return p + 1;
    }
    token_is_text(p);
    if (is_alpha(*p) && script_escape_ == ScriptEscape::escaped) {
        state_ = State::script_double_escape_edge;
        match_count_ = 0;
    }
    return p;
}

const char* HtmlTokenizer::script_step(const char* p) {
    switch (state_) {
        case State::script_escape_start:
        case State::script_escape_start_dash:
            if (*p != '-') {
                state_ = State::text;
                return p;
            }
            if (state_ == State::script_escape_start) {
                state_ = State::script_escape_start_dash;
            } else {
                state_ = State::text;
                script_escape_ = ScriptEscape::escaped;
                dash_count_ = 2;
            }
            break;
        case State::script_double_escaped_less_than:
            if (*p != '/') {
                state_ = State::text;
                return p;
            }
            state_ = State::script_double_escape_edge;
            match_count_ = 0;
            break;
        default: return double_escape_edge(p);
    }
    emit_text(p, p + 1);
    return p + 1;
}

// After `<` in an escaped script, or `</` in a double escaped one. The word "script" here switches
// between the two ("script data double escape start state" and "... end state").
const char* HtmlTokenizer::double_escape_edge(const char* p) {
    static constexpr std::string_view kWord = "script";
    if (is_alpha(*p)) {
        const bool agrees = match_count_ < kWord.size() && to_lower(*p) == kWord[match_count_];
        match_count_ = agrees ? match_count_ + 1 : kMismatch;
        emit_text(p, p + 1);
        return p + 1;
    }
    state_ = State::text;
    if (!is_in_class(*p, kSpace | kSlash | kGreater)) return p;
    if (match_count_ == kWord.size()) {
        script_escape_ = script_escape_ == ScriptEscape::escaped ? ScriptEscape::double_escaped
                                                                 : ScriptEscape::escaped;
    }
    if (*p == '\r') return text_stop(p, p + 1);
    emit_text(p, p + 1);
    return p + 1;
}

const char* HtmlTokenizer::cdata_run(const char* p, const char* end) {
    const char* stop = wants_text_ ? find_any<']', '\r'>(p, end) : find_far<']'>(p, end);
    emit_text(p, stop);
    if (stop == end) return end;
    if (*stop == '\r') return text_stop(stop, end);
    state_ = State::cdata_bracket;
    return stop + 1;
}

// After "]" or "]]" in a CDATA section.
const char* HtmlTokenizer::cdata_step(const char* p) {
    if (state_ == State::cdata_bracket) {
        state_ = *p == ']' ? State::cdata_end : State::text;
        if (*p == ']') return p + 1;
        emit_text("]");
        return p;
    }
    if (*p == ']') {
        emit_text("]");
        return p + 1;
    }
    state_ = State::text;
    if (*p == '>') {
        text_ = HtmlText::data;
        return p + 1;
    }
    emit_text("]]");
    return p;
}

}  // namespace weft::web
