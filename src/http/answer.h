#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "http/connection.h"
#include "http/message.h"
#include "web/decoder.h"

namespace weft::http {

// An answer as it comes in, whatever it comes over: content codings are undone, the caps kept, the
// pace watched, the sink told. The fields of response() that a protocol knows better are its own.
class Answer {
public:
    Answer(const FetchLimits& limits, ResponseSink& sink) : limits_(limits), sink_(sink) {}

    const FetchLimits& limits() const { return limits_; }
    ResponseSink& sink() const { return sink_; }
    Response& response() { return response_; }

    // Bytes as received; counted.
    void take_wire(std::string_view bytes);

    // The head is in response(). `transfer_codings` are to be undone like Content-Encoding. Throws
    // FetchError: a coding that is not known.
    void take_head(std::string_view transfer_codings = {});

    // A piece of the content, codings still on. Throws FetchError: not what its codings say.
    void take_content(std::string_view coded);

    // A cap was reached: the rest is not wanted.
    bool is_full() const { return is_full_; }

    // The content is over, whole or (is_full) cut. Throws FetchError: its codings have no end.
    void finish();

    // The rate is measured from now on;
    void start_pace(TimePoint now) { window_start_ = now; }
    // bytes came: false when a window ended too poor.
    bool keeps_pace(std::uint64_t bytes, TimePoint now);

private:
    void give(std::string_view content);

    const FetchLimits& limits_;
    ResponseSink& sink_;
    Response response_;
    std::optional<web::Decoder> decoder_;
    bool is_full_ = false;
    TimePoint window_start_{};
    std::uint64_t window_bytes_ = 0;
};

}  // namespace weft::http
