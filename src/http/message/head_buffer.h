#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "http/message/parse_error.h"

namespace weft::http {

// Gathers the lines of a message head from input cut anywhere, and keeps the bytes as received.
//
// A line ends with CRLF or LF; any other CR, and a NUL anywhere, is an error (H26, H27). The bounds
// are checked at the byte that oversteps them, however the input was cut, and count over all the
// heads of one message (interim responses too), line ends included.
class HeadBuffer {
public:
    struct Bounds {
        std::size_t line_bytes_max;
        std::size_t block_bytes_max;
        ParseError line_error;
        ParseError block_error;
    };

    struct Line {
        bool is_whole = false;  // If not, all of the input was taken and the line goes on.
        bool has_cr = false;    // It ended with CRLF.

        // Without its end; valid until the next call.
        std::string_view text = {};
    };

    explicit HeadBuffer(const Bounds& bounds) : bounds_(bounds) {}

    // Takes bytes off the front of `input` up to the end of a line.
    std::expected<Line, ParseError> take_line(std::string_view& input);

    // The bytes of a line not yet ended.
    std::string_view unfinished() const { return std::string_view(text_).substr(line_start_); }

    // Every byte taken since the last forget().
    std::string_view text() const { return text_; }

    // Drops the bytes but goes on counting them: the next head of the same message.
    void forget();

    // The next message: counts from nothing.
    void reset();

private:
    Bounds bounds_;
    std::string text_;
    std::size_t line_start_ = 0;
    std::size_t block_bytes_ = 0;
};

}  // namespace weft::http
