#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/markup/html_scan.h"
#include "web/markup/html_tokenizer.h"

// The part of the tokenizer for tags and their attributes. While a tag is read, only the offsets of
// its parts are stored. The bytes of a value are read again only if the sink asks for it.
namespace weft::web {

const char* HtmlTokenizer::tag_open(const char* p) {
    if (is_alpha(*p)) {
        begin_tag(false);
        return p;
    }
    switch (*p) {
        case '/': state_ = State::end_tag_open; return p + 1;
        case '!':
            state_ = State::markup_declaration;
            match_count_ = 0;
            return p + 1;
        case '?': return begin_markup(State::bogus_comment, 1, p);
        default: return token_is_text(p);
    }
}

const char* HtmlTokenizer::end_tag_open(const char* p) {
    if (is_alpha(*p)) {
        begin_tag(true);
        return p;
    }
    if (*p == '>') {
        holds_token_ = false;
        state_ = State::text;
        return p + 1;
    }
    return begin_markup(State::bogus_comment, 2, p);
}

// A fast path for nearly all tags: those that are whole in this piece and have quoted attributes.
// It does not use the states. If something is unusual or incomplete, it stops at the beginning of
// the current attribute, and the states continue there.
const char* HtmlTokenizer::quick_tag(const char* p, const char* end) {
    if (p == end) return p;
    const bool is_end = *p == '/' && end - p > 1;
    if (!is_alpha(p[is_end ? 1 : 0])) return p;
    begin_tag(is_end);
    p = tag_name(p + (is_end ? 1 : 0), end);
    return state_ == State::before_attribute_name ? quick_attributes(p, end) : p;
}

const char* HtmlTokenizer::quick_attributes(const char* p, const char* end) {
    for (;;) {
        p = skip_html_space(p, end);
        if (p == end) return p;
        if (*p == '>') return emit_tag(p + 1);
        if (*p == '/') return p;
        const char* const name = p;
        const char* const name_end = find_class(p + 1, end, kSpace | kSlash | kGreater | kEquals);
        if (end - name_end < 2 || *name_end != '=') return name;
        const char quote = name_end[1];
        if (quote != '"' && quote != '\'') return name;
        const char* const value = name_end + 2;
        p = quote == '"' ? find_any<'"'>(value, end) : find_any<'\''>(value, end);
        if (p == end) return name;
        current_ = {place(name), place(name_end), place(value), place(p)};
        commit_attribute();
        ++p;
    }
}

// After a '<' in an element that only its own end tag can end ("appropriate end tag token").
const char* HtmlTokenizer::raw_end_tag(const char* p, const char* end) {
    if (state_ == State::raw_less_than) {
        if (*p != '/')
            return text_ == HtmlText::script_data ? script_less_than(p) : token_is_text(p);
        state_ = State::raw_end_tag_open;
        return p + 1;
    }
    if (state_ == State::raw_end_tag_open) {
        match_count_ = 0;
        state_ = State::raw_end_tag_name;
    }
    // At the first byte that differs, all of it was text.
    for (; p != end && match_count_ < last_start_tag_.size(); ++p, ++match_count_) {
        if (!is_alpha(*p) && match_count_ == 0) return token_is_text(p);
        if (to_lower(*p) != last_start_tag_[match_count_]) return token_is_text(p);
    }
    if (p == end) return p;
    if (match_count_ == 0 || !is_in_class(*p, kSpace | kSlash | kGreater)) return token_is_text(p);
    begin_tag(true);
    return p;
}

void HtmlTokenizer::begin_tag(bool is_end_tag) {
    state_ = State::tag_name;
    is_end_tag_ = is_end_tag;
    is_self_closing_ = false;
    attribute_count_ = 0;
}

const char* HtmlTokenizer::tag_step(const char* p, const char* end) {
    switch (state_) {
        case State::tag_name: return tag_name(p, end);
        case State::before_attribute_name: return before_attribute_name(p, end);
        case State::attribute_name: return attribute_name(p, end);
        case State::after_attribute_name: return after_attribute_name(p, end);
        case State::before_attribute_value: return before_attribute_value(p, end);
        case State::attribute_value_unquoted: return unquoted_value(p, end);
        case State::self_closing_start_tag:
            state_ = State::before_attribute_name;
            if (*p != '>') return p;
            is_self_closing_ = true;
            return emit_tag(p + 1);
        default: return attribute_value(p, end);
    }
}

const char* HtmlTokenizer::tag_name(const char* p, const char* end) {
    p = find_class(p, end, kSpace | kSlash | kGreater);
    if (p == end) return p;
    name_end_ = place(p);
    if (*p == '>') return emit_tag(p + 1);
    state_ = *p == '/' ? State::self_closing_start_tag : State::before_attribute_name;
    return p + 1;
}

const char* HtmlTokenizer::before_attribute_name(const char* p, const char* end) {
    p = skip_html_space(p, end);
    if (p == end) return p;
    if (*p == '>') return emit_tag(p + 1);
    if (*p == '/') {
        state_ = State::self_closing_start_tag;
        return p + 1;
    }
    begin_attribute(p);
    return p + 1;  // Even a '=' is the first byte of a name here.
}

void HtmlTokenizer::begin_attribute(const char* p) {
    current_.name_begin = place(p);
    state_ = State::attribute_name;
}

// Sets an empty value, too: the attribute may have none.
const char* HtmlTokenizer::attribute_name(const char* p, const char* end) {
    p = find_class(p, end, kSpace | kSlash | kGreater | kEquals);
    if (p == end) return p;
    current_.name_end = current_.value_begin = current_.value_end = place(p);
    state_ = *p == '=' ? State::before_attribute_value : State::after_attribute_name;
    return *p == '=' ? p + 1 : p;
}

const char* HtmlTokenizer::after_attribute_name(const char* p, const char* end) {
    p = skip_html_space(p, end);
    if (p == end) return p;
    if (*p == '=') {
        state_ = State::before_attribute_value;
        return p + 1;
    }
    commit_attribute();
    state_ = State::before_attribute_name;
    return p;
}

const char* HtmlTokenizer::before_attribute_value(const char* p, const char* end) {
    p = skip_html_space(p, end);
    if (p == end) return p;
    if (*p == '>') {  // "<a href=>": the value is missing.
        commit_attribute();
        return emit_tag(p + 1);
    }
    if (*p == '"' || *p == '\'') {
        state_ =
            *p == '"' ? State::attribute_value_double_quoted : State::attribute_value_single_quoted;
        ++p;
    } else {
        state_ = State::attribute_value_unquoted;
    }
    current_.value_begin = place(p);
    return p;
}

const char* HtmlTokenizer::attribute_value(const char* p, const char* end) {
    p = state_ == State::attribute_value_double_quoted ? find_any<'"'>(p, end)
                                                       : find_any<'\''>(p, end);
    if (p == end) return p;
    current_.value_end = place(p);
    commit_attribute();
    state_ = State::before_attribute_name;
    return p + 1;
}

const char* HtmlTokenizer::unquoted_value(const char* p, const char* end) {
    p = find_class(p, end, kSpace | kGreater);
    if (p == end) return p;
    current_.value_end = place(p);
    commit_attribute();
    state_ = State::before_attribute_name;
    return p;
}

void HtmlTokenizer::commit_attribute() {
    ++step_count_;
    // The limits of HtmlTag: a tag over kTagBytesMax is stored only up to there.
    if (attribute_count_ == attributes_.size()) return;
    if (std::max(current_.name_end, current_.value_end) >= limits::kTagBytesMax) return;
    if (current_.name_end - current_.name_begin > limits::kAttributeBytesMax) return;
    if (current_.value_end - current_.value_begin > limits::kAttributeBytesMax) return;
    const auto narrow = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    attributes_[attribute_count_++] = {narrow(current_.name_begin), narrow(current_.name_end),
                                       narrow(current_.value_begin), narrow(current_.value_end)};
}

const char* HtmlTokenizer::emit_tag(const char* after) {
    const std::string_view source = token_until(after);
    const std::size_t name_begin = is_end_tag_ ? 2 : 1;
    HtmlTag tag(source.data(), source.substr(0, name_end_).substr(name_begin),
                {attributes_.data(), attribute_count_});
    tag.offset = token_offset_;
    tag.end = token_offset_ + place(after);
    tag.is_self_closing = is_self_closing_;
    // The state is complete before the sink is called: the sink may call want_text().
    state_ = State::text;
    text_ = HtmlText::data;
    script_escape_ = ScriptEscape::none;
    if (is_end_tag_) {
        sink_.end_tag(tag);
        return after;
    }
    text_ = sink_.start_tag(tag);
    if (text_ != HtmlText::data) last_start_tag_ = tag.name();
    return after;
}

}  // namespace weft::web
