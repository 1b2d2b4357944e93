#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "http/message/parse_error.h"

namespace weft::http {

// Collects the lines of a message head from input that may be cut anywhere, and keeps the bytes as
// received.
//
// A line ends with CRLF or LF; any other CR, and a NUL anywhere, is an error (H26, H27). The error
// comes at the first byte beyond a bound, however the input was cut. The block bound counts all
// heads of one message (interim responses too), line ends included.
class HeadBuffer {
public:
    // The limits, and the errors to return beyond them.
    struct Bounds {
        std::size_t line_bytes_max;
        std::size_t block_bytes_max;
        ParseError line_error;
        ParseError block_error;
    };

    struct Line {
        bool is_whole = false;  // False: all of the input was taken and the line is not complete.
        bool has_cr = false;    // The line ended with CRLF.

        // The line without its line end; valid until the next call.
        std::string_view text = {};
    };

    explicit HeadBuffer(const Bounds& bounds) : bounds_(bounds) {}

    // Takes bytes off the front of `input` up to the end of a line.
    std::expected<Line, ParseError> take_line(std::string_view& input);

    // The bytes of the line that is not complete yet.
    std::string_view unfinished() const { return std::string_view(text_).substr(line_start_); }

    // Every byte taken since the last forget().
    std::string_view text() const { return text_; }

    // Drops the bytes but keeps the count: for the next head of the same message.
    void forget();

    // Drops the bytes and the count: for the next message.
    void reset();

private:
    Bounds bounds_;
    std::string text_;
    std::size_t line_start_ = 0;   // Where in text_ the current line begins.
    std::size_t block_bytes_ = 0;  // Taken since reset(), forgotten bytes included.
};

}  // namespace weft::http
