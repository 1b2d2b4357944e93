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

// Decodes a chunked body (RFC 9112, 7.1): takes bytes, returns pieces of data. However the input is
// cut, the data and the end are the same.
//
// A chunk size is 1 to 15 hexadecimal digits; every line, trailers included, ends in CRLF (H22,
// H26). Spaces after the size are ignored, because old servers pad it. Extensions are checked for
// control bytes, counted, and dropped.
class ChunkedBody {
public:
    struct Step {
        // How many bytes of the input are processed; do not pass them in again.
        std::size_t consumed = 0;

        // A piece of the body, a view into the input. Empty: more input is needed, or `done`.
        std::string_view data = {};

        // The body and its trailers are complete; the rest of the input belongs to what follows.
        bool done = false;
    };

    ChunkedBody();

    // Gets ready for the next body.
    void reset();

    // How many fields the trailers may have. The bound on fields is one for the whole message, so
    // this is what the heads have left of it.
    void allow_fields(std::size_t field_count_max) { field_count_max_ = field_count_max; }

    std::expected<Step, ParseError> next(std::string_view input);

    const Headers& trailers() const { return trailers_; }
    Oddities oddities() const { return oddities_; }
    bool is_done() const { return state_ == State::done; }

private:
    // `data_end` is the CRLF that follows the data of a chunk.
    enum class State { size, data, data_end, trailers, done };

    std::expected<void, ParseError> read_size_line(std::string_view text);
    std::expected<void, ParseError> read_trailer_line(std::string_view line);
    std::expected<bool, ParseError> advance(std::string_view& input);

    State state_ = State::size;
    std::uint64_t left_ = 0;           // Bytes of the current chunk that are still to come.
    bool has_cr_ = false;              // In State::data_end: the CR came, the LF is still to come.
    std::size_t extension_bytes_ = 0;  // Over all chunks of the body.
    std::size_t field_count_max_;
    HeadBuffer size_line_;
    HeadBuffer trailer_lines_;
    Headers trailers_;
    Oddities oddities_;
};

}  // namespace weft::http
