#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"

namespace weft::web {

// A resource a style sheet names.
struct CssUrl {
    std::string value;         // Escapes decoded, not resolved.
    std::uint64_t offset = 0;  // Of its `url(` or quote, in bytes.
    bool is_import = false;    // Another style sheet, by @import.

    // Where it is written: its string with the quotes, or all of an unquoted url(...). Bytes.
    bool is_quoted = false;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// Finds what a style sheet or a style attribute refers to: url(...) in any value, the target of an
// @import and the strings of an image-set(). The URLs of @namespace and @document are names, not
// resources, and are left out. Reads as the CSS Syntax standard does: comments, strings, escapes,
// bad URLs.
//
// Streaming: pieces may be cut anywhere. Linear; keeps nothing but what it found. A URL longer than
// kAttributeBytesMax and all past `count_max` are left out. Any bytes will do: there is no error.
class CssReader {
public:
    explicit CssReader(std::size_t count_max = limits::kLinksPerPageMax) : count_max_(count_max) {}

    void feed(std::string_view piece);

    // What was found; the reader is ready for the next sheet.
    std::vector<CssUrl> finish();

    // Whether there was more than `count_max`, until finish().
    bool is_cut() const { return is_cut_; }

    // What it holds of the sheet so far.
    std::size_t memory_bytes() const {
        return found_.capacity() * sizeof(CssUrl) + found_bytes_ + value_.capacity();
    }

private:
    enum class State : std::uint8_t {
        ground,
        slash,
        comment,
        comment_star,
        name,
        string,
        before_url,
        url,
        after_url,
        bad_url,
        escape,
        hex_escape,
        after_hex_escape,
    };
    enum class Name : std::uint8_t { identifier, at_keyword, hash };

    // What the at-rule under way makes of URLs.
    enum class Rule : std::uint8_t { none, awaits_import, no_resource };

    // False: `c` is to be read again in the new state.
    bool step(char c);
    bool ground(char c);
    bool name(char c);
    bool string(char c);
    bool before_url(char c);
    bool url(char c);
    bool bad_url(char c);
    bool escape(char c);
    bool hex_escape(char c);

    void end_name();
    void begin_function();
    void begin_string(char quote);
    void end_value(std::uint64_t end);
    void append(char c);
    void append_code_point(std::uint32_t c);
    void begin_escape();
    void reset();

    std::size_t count_max_;
    std::vector<CssUrl> found_;
    std::size_t found_bytes_ = 0;
    bool is_cut_ = false;
    State state_ = State::ground;
    State outer_ = State::ground;  // Where an escape goes back to.
    Rule rule_ = Rule::none;
    bool skips_line_feed_ = false;
    Name name_kind_ = Name::identifier;
    bool is_string_url_ = false;
    bool is_quoted_ = false;
    bool is_value_too_long_ = false;
    char quote_ = 0;
    std::uint8_t hex_count_ = 0;
    std::uint32_t hex_value_ = 0;
    std::size_t image_set_depth_ = 0;  // Parentheses open since image-set's own; 0: outside.
    std::string name_;                 // Lower case; at most kWordBytesMax, and then no known one.
    std::string value_;
    std::uint64_t offset_ = 0;
    std::uint64_t value_offset_ = 0;
    std::uint64_t quote_offset_ = 0;
    std::uint64_t name_offset_ = 0;
};

// The same for a sheet or attribute in one piece.
std::vector<CssUrl> read_css(std::string_view text);

}  // namespace weft::web
