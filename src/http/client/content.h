#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "http/client/fetch_clock.h"
#include "http/client/fetch_limits.h"
#include "http/message/message.h"
#include "web/coding/decoder.h"

namespace weft::http {

// Turns the body of a response into its content: undoes the codings and stops at the limit. Does no
// I/O. Owned by one Fetch.
//
//     content.take(piece_of_the_body);
//     do {
//         for (auto part = content.next(room); !part.empty(); part = content.next(room)) use(part);
//     } while (content.is_busy());
//     ...
//     content.finish();
class Content {
public:
    // Counts the content in `response.content_bytes`. All arguments must outlive this object.
    Content(Response& response, const FetchLimits& limits, const FetchClock& clock);

    // Undoes codings from now on: those of Content-Encoding, and `transfer_codings` (those besides
    // chunked). Throws FetchError (bad_encoding) for a coding that we do not know. Without this
    // call the body is the content.
    void decode(std::string_view transfer_codings);

    // The next piece of the body. It must stay valid until it is used up.
    // REQUIRES: !is_busy(), so the piece before is used up.
    void take(std::string_view coded) { coded_ = coded; }

    // The next part of the content, in `room` or in the piece itself. Empty if the piece is used
    // up, or if many steps of decoding produced nothing: then is_busy(). Throws FetchError.
    std::string_view next(std::span<char> room);

    // There is more to decode: let other tasks run, then call next() again.
    bool is_busy() const { return decoder_ && !is_full_ && (!coded_.empty() || !is_hungry_); }

    // The limit is reached and there is more content, which is not wanted.
    bool is_full() const { return is_full_; }

    // The memory that the decoders hold.
    std::size_t memory_bytes() const { return decoder_ ? decoder_->memory_bytes() : 0; }

    // Call at the end of the body. Throws FetchError if the coded data are not complete.
    void finish();

private:
    std::string_view within_limit(std::string_view part);
    [[noreturn]] void fail(web::DecodeError error) const;

    Response& response_;
    const FetchLimits& limits_;
    const FetchClock& clock_;
    std::optional<web::Decoder> decoder_;
    std::string_view coded_;
    bool is_hungry_ = true;  // The decoder has no output left from earlier input.
    bool is_full_ = false;
};

}  // namespace weft::http
