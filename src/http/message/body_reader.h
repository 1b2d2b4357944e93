#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "http/message/chunked_body.h"
#include "http/message/framing.h"
#include "http/message/parse_error.h"

namespace weft::http {

// How the other side ended the stream. A TLS stream that ends without its closing alert, and a
// reset, are cuts: they prove nothing about the length of a body (H59).
enum class StreamEnd { clean, cut };

// Reads the body of one message at a time, up to the end that its framing gives. No I/O: the caller
// passes in the bytes. Owned by a MessageParser, which uses it again for the next message.
class BodyReader {
public:
    using Step = ChunkedBody::Step;

    // Back to the state before the first start(): there is no body, so is_done().
    void reset();

    // Gets ready for a body. Trailers may have up to `field_count_max` fields.
    void start(BodyFraming framing, std::size_t field_count_max);

    // The next piece of the body (`data`, a view into the input) or its end (`done`). With neither,
    // the input is used up and more is needed.
    std::expected<Step, ParseError> next(std::string_view input);

    // Call when the stream has ended. An error if the body is not complete (truncated_body).
    std::expected<void, ParseError> finish(StreamEnd how);

    bool is_done() const { return is_done_; }
    const BodyFraming& framing() const { return framing_; }
    const Headers& trailers() const { return chunked_.trailers(); }
    Oddities oddities() const;

    // How many bytes of the body next() has returned, chunk framing not counted.
    std::uint64_t bytes() const { return bytes_; }

    // How far the body got, for error messages: "512 of 2048 bytes", "5 bytes, last chunk missing".
    std::string progress() const;

private:
    BodyFraming framing_;
    ChunkedBody chunked_;
    std::uint64_t bytes_ = 0;
    bool is_done_ = true;
};

}  // namespace weft::http
