#include "web/html/css.h"

#include <utility>

#include "base/bytes.h"
#include "base/scan.h"

namespace weft::web {
namespace {

constexpr std::size_t kWordBytesMax =
    24;  // Longer than "-webkit-image-set", the longest name known.

bool is_css_space(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

// "Ident code point" of the CSS Syntax standard. NUL counts because it becomes U+FFFD.
bool is_name_byte(char c) {
    return is_alnum(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80 || c == 0;
}

// "Non-printable code point": it makes an unquoted url() bad.
bool is_unprintable(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte > 0 && byte <= 8) || byte == 0x0B || (byte >= 0x0E && byte < 0x20) || byte == 0x7F;
}

}  // namespace

std::vector<CssUrl> read_css(std::string_view text) {
    CssReader reader;
    reader.feed(text);
    return reader.finish();
}

// Skips what cannot lead to a URL: in a comment everything up to a star, and outside of at-rules
// and image-set() everything up to a string, a comment, an escape, an at-rule or the name of a
// function. A name at the end of the piece may be that of a function too.
const char* CssReader::skip_plain(const char* p, const char* end) {
    if (state_ == State::comment) return find_any<'*'>(p, end);
    const bool is_plain = state_ == State::ground && rule_ == Rule::none && image_set_depth_ == 0;
    if (!is_plain) return p;
    const char* next = find_any<'(', '@', '\\', '/', '"', '\''>(p, end);
    const bool ends_name = next == end || *next == '(' || *next == '\\';
    while (ends_name && next != p && (is_name_byte(next[-1]) || next[-1] == '#')) --next;
    return next;
}

void CssReader::feed(std::string_view piece) {
    const char* p = piece.data();
    for (const char* const end = p + piece.size(); p != end; ++p) {
        const char* const next = skip_plain(p, end);
        if (next != p) {
            offset_ += static_cast<std::uint64_t>(next - p);
            skips_line_feed_ = false;  // A line feed means nothing here.
            p = next;
            if (p == end) return;
        }
        const char raw = *p;
        // Preprocessing (section 3.3): CR, FF and CR LF are one line feed. Offsets stay those of
        // the raw bytes.
        const bool is_second_half = std::exchange(skips_line_feed_, raw == '\r') && raw == '\n';
        const char c = raw == '\r' || raw == '\f' ? '\n' : raw;
        if (!is_second_half) {
            while (!step(c)) {
            }
        }
        ++offset_;
    }
}

std::vector<CssUrl> CssReader::finish() {
    // The end of the sheet closes an open string or URL: the standard calls it a parse error and
    // keeps the value.
    if (state_ == State::hex_escape) append_code_point(hex_value_);
    const bool is_in_escape =
        state_ == State::escape || state_ == State::hex_escape || state_ == State::after_hex_escape;
    if (state_ == State::escape && outer_ == State::url) append_code_point(0xFFFD);
    const State state = is_in_escape ? outer_ : state_;
    const bool has_value = (state == State::string && is_string_url_) || state == State::url ||
                           state == State::after_url;
    if (has_value) end_value(offset_);
    std::vector<CssUrl> found = std::exchange(found_, {});
    reset();
    return found;
}

void CssReader::reset() {
    CssReader fresh(count_max_);
    *this = std::move(fresh);
}

bool CssReader::step(char c) {
    switch (state_) {
        case State::ground: return ground(c);
        case State::slash:
            state_ = c == '*' ? State::comment : State::ground;
            if (c != '*' && rule_ == Rule::awaits_import) rule_ = Rule::none;
            return c == '*';
        case State::comment:
            if (c == '*') state_ = State::comment_star;
            return true;
        case State::comment_star:
            if (c != '*') state_ = c == '/' ? State::ground : State::comment;
            return true;
        case State::name: return name(c);
        case State::string: return string(c);
        case State::before_url: return before_url(c);
        case State::url:
        case State::after_url: return url(c);
        case State::bad_url: return bad_url(c);
        case State::escape: return escape(c);
        case State::hex_escape: return hex_escape(c);
        case State::after_hex_escape: state_ = outer_; return is_css_space(c);
    }
    std::unreachable();
}

bool CssReader::ground(char c) {
    if (is_name_byte(c) || c == '\\' || c == '@' || c == '#') {
        state_ = State::name;
        name_kind_ = c == '@' ? Name::at_keyword : c == '#' ? Name::hash : Name::identifier;
        name_.clear();
        name_offset_ = offset_;
        return name_kind_ != Name::identifier;
    }
    switch (c) {
        case '/': state_ = State::slash; return true;
        case '"':
        case '\'': begin_string(c); return true;
        case '(':
            if (image_set_depth_ > 0) ++image_set_depth_;
            break;
        case ')':
            if (image_set_depth_ > 0) --image_set_depth_;
            break;
        case ';':
        case '{':
        case '}':
            rule_ = Rule::none;
            image_set_depth_ = 0;
            break;
        default: break;
    }
    // Only white space and comments may stand between @import and its string or URL.
    if (rule_ == Rule::awaits_import && !is_css_space(c)) rule_ = Rule::none;
    return true;
}

bool CssReader::name(char c) {
    if (c == '\\') {
        begin_escape();
        return true;
    }
    if (is_name_byte(c)) {
        if (name_.size() < kWordBytesMax) name_ += to_lower(c);
        return true;
    }
    state_ = State::ground;
    if (c == '(' && name_kind_ == Name::identifier) {
        begin_function();
        return true;
    }
    end_name();
    return false;
}

void CssReader::end_name() {
    if (name_kind_ != Name::at_keyword) {
        if (rule_ == Rule::awaits_import) rule_ = Rule::none;
        return;
    }
    // These at-rules name a namespace or match documents; their URLs are not fetched.
    const bool is_no_resource =
        name_ == "namespace" || name_ == "document" || name_ == "-moz-document";
    rule_ = name_ == "import" ? Rule::awaits_import
            : is_no_resource  ? Rule::no_resource
                              : Rule::none;
}

void CssReader::begin_function() {
    if (name_ == "url" || name_ == "src") {
        state_ = State::before_url;
        value_offset_ = name_offset_;
        return;
    }
    if (rule_ == Rule::awaits_import) rule_ = Rule::none;
    // Functions inside image-set(), such as type(), add a level: their strings are not URLs.
    const bool is_image_set = name_ == "image-set" || name_ == "-webkit-image-set";
    if (is_image_set || image_set_depth_ > 0) ++image_set_depth_;
}

void CssReader::begin_string(char quote) {
    state_ = State::string;
    quote_ = quote;
    is_quoted_ = true;
    value_.clear();
    is_value_too_long_ = false;
    value_offset_ = quote_offset_ = offset_;
    is_string_url_ = rule_ == Rule::awaits_import || image_set_depth_ == 1;
}

bool CssReader::string(char c) {
    if (c == '\\') {
        begin_escape();
    } else if (c == '\n') {  // A line end makes a "bad string": it is dropped.
        state_ = State::ground;
        value_.clear();
    } else if (c == quote_) {
        state_ = State::ground;
        if (is_string_url_) end_value(offset_ + 1);
    } else {
        append(c);
    }
    return true;
}

// After "url(": a quote makes it a function with a string, anything else is an unquoted URL.
bool CssReader::before_url(char c) {
    if (is_css_space(c)) return true;
    const bool is_quoted = c == '"' || c == '\'';
    if (!is_quoted && name_ == "url") {
        state_ = State::url;
        is_quoted_ = false;
        value_.clear();
        is_value_too_long_ = false;
        return false;
    }
    if (image_set_depth_ > 0) ++image_set_depth_;  // The ground state will see its ')'.
    state_ = State::ground;
    if (!is_quoted) return false;  // src() accepts only a string.
    const std::uint64_t begin = value_offset_;
    begin_string(c);
    value_offset_ = begin;
    is_string_url_ = true;
    return true;
}

bool CssReader::url(char c) {
    if (c == ')') {
        state_ = State::ground;
        end_value(offset_ + 1);
        return true;
    }
    if (is_css_space(c)) {
        state_ = State::after_url;
        return true;
    }
    const bool is_bad =
        state_ == State::after_url || c == '"' || c == '\'' || c == '(' || is_unprintable(c);
    if (is_bad) {
        state_ = State::bad_url;
        value_.clear();
        return false;
    }
    if (c == '\\') {
        begin_escape();
    } else {
        append(c);
    }
    return true;
}

// "Consume the remnants of a bad url" (section 4.3.14): skip up to ')', but not an escaped one.
bool CssReader::bad_url(char c) {
    if (c == ')') {
        state_ = State::ground;
        if (rule_ == Rule::awaits_import) rule_ = Rule::none;
    } else if (c == '\\') {
        begin_escape();
    }
    return true;
}

void CssReader::begin_escape() {
    outer_ = state_;
    state_ = State::escape;
    hex_count_ = 0;
    hex_value_ = 0;
}

bool CssReader::escape(char c) {
    if (is_hex_digit(c)) {
        state_ = State::hex_escape;
        return false;
    }
    state_ = outer_;
    if (c == '\n') {                               // Not a valid escape, except in a string.
        if (outer_ == State::string) return true;  // The string continues on the next line.
        if (outer_ == State::url) state_ = State::bad_url;
        if (outer_ == State::name) {
            state_ = State::ground;
            end_name();
        }
        return false;
    }
    append(c);
    return true;
}

// Up to six digits, then one white space that belongs to the escape (section 4.3.7).
bool CssReader::hex_escape(char c) {
    if (hex_count_ < 6 && is_hex_digit(c)) {
        hex_value_ = hex_value_ * 16 + static_cast<std::uint32_t>(hex_value(c));
        ++hex_count_;
        return true;
    }
    append_code_point(hex_value_);
    state_ = State::after_hex_escape;
    return false;
}

void CssReader::append(char c) {
    if (c == '\0') return append_code_point(0xFFFD);
    const State place = state_ == State::escape || state_ == State::hex_escape ? outer_ : state_;
    if (place == State::name) {
        if (name_.size() < kWordBytesMax) name_ += to_lower(c);
    } else if (place != State::bad_url) {
        is_value_too_long_ = is_value_too_long_ || value_.size() >= limits::kAttributeBytesMax;
        if (!is_value_too_long_) value_ += c;
    }
}

void CssReader::append_code_point(std::uint32_t c) {
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
    if (c < 0x80) return append(static_cast<char>(c));
    if (c < 0x800) {
        append(static_cast<char>(0xC0 | c >> 6));
    } else {
        if (c < 0x10000) {
            append(static_cast<char>(0xE0 | c >> 12));
        } else {
            append(static_cast<char>(0xF0 | c >> 18));
            append(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
        }
        append(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    }
    append(static_cast<char>(0x80 | (c & 0x3F)));
}

void CssReader::end_value(std::uint64_t end) {
    const bool is_import = rule_ == Rule::awaits_import;
    if (is_import) rule_ = Rule::none;
    const bool is_wanted = rule_ != Rule::no_resource && !is_value_too_long_ && !value_.empty();
    if (is_wanted && found_.size() >= count_max_) is_cut_ = true;
    if (is_wanted && found_.size() < count_max_) {
        found_bytes_ += value_.capacity();
        const std::uint64_t begin = is_quoted_ ? quote_offset_ : value_offset_;
        found_.push_back({std::move(value_), value_offset_, is_import, is_quoted_, begin, end});
    }
    value_.clear();
    is_value_too_long_ = false;
}

}  // namespace weft::web
