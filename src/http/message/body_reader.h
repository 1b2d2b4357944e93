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

// Reads the body of one message by its framing.
class BodyReader {
public:
    using Step = ChunkedBody::Step;

    // No body, as before the first start().
    void reset();

    // Gets ready for a body. Trailers may have up to `field_count_max` fields.
    void start(BodyFraming framing, std::size_t field_count_max);

    // A piece of the body as a view into the input, or its end, or (neither) a wish for more.
    std::expected<Step, ParseError> next(std::string_view input);

    // The stream ended: whether the body did too.
    std::expected<void, ParseError> finish(StreamEnd how);

    bool is_done() const { return is_done_; }
    const BodyFraming& framing() const { return framing_; }
    const Headers& trailers() const { return chunked_.trailers(); }
    Oddities oddities() const;

    // How many bytes have come.
    std::uint64_t bytes() const { return bytes_; }

    // "512 of 2048 bytes", "5 bytes, last chunk missing".
    std::string progress() const;

private:
    BodyFraming framing_;
    ChunkedBody chunked_;
    std::uint64_t bytes_ = 0;
    bool is_done_ = true;
};

}  // namespace weft::http
