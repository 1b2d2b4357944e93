#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"

namespace weft::web {

// A resource that a style sheet refers to.
struct CssUrl {
    std::string value;         // Escapes decoded, not resolved.
    std::uint64_t offset = 0;  // Of its `url(` or quote, in bytes.
    bool is_import = false;    // Another style sheet, from an @import.

    // The bytes [begin, end) of the sheet: the string with its quotes, or the whole unquoted
    // url(...).
    bool is_quoted = false;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// Finds the resources that a style sheet or a style attribute refers to: url(...) in any value, the
// target of an @import and the strings of an image-set(). The URLs of @namespace and @document are
// names, not resources, and are left out. Comments, strings, escapes and bad URLs are read as in
// the CSS Syntax standard.
//
// The sheet may come in pieces that are cut anywhere. The reader needs linear time and stores only
// what it found. It leaves out a URL longer than kAttributeBytesMax, and all URLs after
// `count_max`. There are no errors: any bytes are accepted.
class CssReader {
public:
    explicit CssReader(std::size_t count_max = limits::kLinksPerPageMax) : count_max_(count_max) {}

    void feed(std::string_view piece);

    // Returns what was found. Then the reader is ready for the next sheet.
    std::vector<CssUrl> finish();

    // Whether there were more URLs than `count_max`. finish() resets it.
    bool is_cut() const { return is_cut_; }

    // The memory of what was found so far.
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

    // What the current at-rule means for URLs: an @import waits for its target, or URLs are names.
    enum class Rule : std::uint8_t { none, awaits_import, no_resource };

    const char* skip_plain(const char* p, const char* end);

    // Each returns false if `c` must be read again in the new state.
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
    State outer_ = State::ground;  // The state to return to after an escape.
    Rule rule_ = Rule::none;
    bool skips_line_feed_ = false;
    Name name_kind_ = Name::identifier;
    bool is_string_url_ = false;
    bool is_quoted_ = false;
    bool is_value_too_long_ = false;
    char quote_ = 0;
    std::uint8_t hex_count_ = 0;
    std::uint32_t hex_value_ = 0;
    std::size_t image_set_depth_ = 0;  // Open parentheses from that of image-set on; 0 outside.
    std::string name_;  // Lower case. Cut at kWordBytesMax: all known ones are shorter.
    std::string value_;
    std::uint64_t offset_ = 0;
    std::uint64_t value_offset_ = 0;
    std::uint64_t quote_offset_ = 0;
    std::uint64_t name_offset_ = 0;
};

// The same for a style sheet or style attribute in one piece.
std::vector<CssUrl> read_css(std::string_view text);

}  // namespace weft::web
