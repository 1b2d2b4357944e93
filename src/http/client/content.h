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

// The content of an answer, made from its body: codings undone, never more than the limit.
//
//     content.take(piece_of_the_body);
//     do {
//         for (auto part = content.next(room); !part.empty(); part = content.next(room)) use(part);
//     } while (content.is_busy());
//     ...
//     content.finish();
class Content {
public:
    // Counts in `response.content_bytes`. Throws FetchError (bad_encoding) for codings that cannot
    // be undone. `transfer_codings` are those besides chunked.
    Content(Response& response, const FetchLimits& limits, const FetchClock& clock);
    void decode(std::string_view transfer_codings);

    // REQUIRES: !is_busy(): the piece before is used up; this one lives until it is.
    void take(std::string_view coded) { coded_ = coded; }

    // The next part, in `room` or in the piece itself; empty when the piece is used up, or when
    // much of it was unpacked and nothing came out: then it is_busy(). Throws FetchError.
    std::string_view next(std::span<char> room);

    // There is more to unpack: let others run, then call next() again.
    bool is_busy() const { return decoder_ && !is_full_ && (!coded_.empty() || !is_hungry_); }

    // The limit is reached and more is there: the rest is not wanted.
    bool is_full() const { return is_full_; }

    // What the codings hold.
    std::size_t memory_bytes() const { return decoder_ ? decoder_->memory_bytes() : 0; }

    // The body is over. Throws FetchError when the codings say that it should go on.
    void finish();

private:
    std::string_view within_limit(std::string_view part);
    [[noreturn]] void fail(web::DecodeError error) const;

    Response& response_;
    const FetchLimits& limits_;
    const FetchClock& clock_;
    std::optional<web::Decoder> decoder_;
    std::string_view coded_;
    bool is_hungry_ = true;  // The decoder has nothing left of earlier input.
    bool is_full_ = false;
};

}  // namespace weft::http
