#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>

#include "http/message/head_buffer.h"
#include "http/message/headers.h"
#include "http/message/oddity.h"
#include "http/message/parse_error.h"

namespace weft::http {

// Takes a chunked body apart (RFC 9112, 7.1). Bytes in, pieces of data out, any cut of the input
// giving the same data and the same end.
//
// A chunk size is 1 to 15 hexadecimal digits; every line, trailers included, ends in CRLF (H22,
// H26). Spaces behind the size are read over: old servers pad it. Extensions are checked for
// control bytes, counted, and dropped.
class ChunkedBody {
public:
    struct Step {
        // How much of the input is done with.
        std::size_t consumed = 0;

        // A piece of the body, inside the input. Empty: more input is needed, or `done`.
        std::string_view data = {};

        // The body and its trailers are complete; the rest of the input is not theirs.
        bool done = false;
    };

    ChunkedBody();

    void reset();

    // How many fields the trailers may still have; for the bound on a whole message.
    void allow_fields(std::size_t field_count_max) { field_count_max_ = field_count_max; }

    std::expected<Step, ParseError> next(std::string_view input);

    const Headers& trailers() const { return trailers_; }
    Oddities oddities() const { return oddities_; }
    bool is_done() const { return state_ == State::done; }

private:
    enum class State { size, data, data_end, trailers, done };

    std::expected<void, ParseError> read_size_line(std::string_view text);
    std::expected<void, ParseError> read_trailer_line(std::string_view line);
    std::expected<bool, ParseError> advance(std::string_view& input);

    State state_ = State::size;
    std::uint64_t left_ = 0;
    bool has_cr_ = false;
    std::size_t extension_bytes_ = 0;
    std::size_t field_count_max_;
    HeadBuffer size_line_;
    HeadBuffer trailer_lines_;
    Headers trailers_;
    Oddities oddities_;
};

}  // namespace weft::http
