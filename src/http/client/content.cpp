#include "http/client/content.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"

namespace weft::http {
namespace {

// With two codings a step may produce nothing: the 16 KiB that the outer coding produces can decode
// to nothing in the inner one. This many empty steps are as much work as one turn of content.
constexpr int kEmptyStepCountMax = 16;

}  // namespace

Content::Content(Response& response, const FetchLimits& limits, const FetchClock& clock)
    : response_(response), limits_(limits), clock_(clock) {}

void Content::decode(std::string_view transfer_codings) {
    std::string list;
    if (response_.headers.contains("Content-Encoding")) {
        list = response_.headers.joined("Content-Encoding");
    }
    // Transfer codings were applied last, so they stand last in the list and are undone first.
    if (!transfer_codings.empty()) {
        if (!list.empty()) list += ", ";
        list += transfer_codings;
    }
    if (list.empty()) return;
    const auto codings = web::parse_codings(list);
    if (!codings) {
        clock_.fail(Failure::bad_encoding, fmt::format("Content-Encoding '{}': {}",
                                                       escape_for_terminal(utf8_prefix(list, 100)),
                                                       describe(codings.error())));
    }
    if (codings->empty()) return;
    // One byte more than the limit, to tell a body that just fits from one that is too long. Plain
    // bodies are allowed: some servers announce a coding that they did not apply (was_plain).
    decoder_.emplace(*codings,
                     web::DecoderOptions{.decoded_bytes_max = limits_.content_bytes_max + 1,
                                         .allow_plain = true});
}

std::string_view Content::next(std::span<char> room) {
    if (is_full_) return {};
    if (!decoder_) return within_limit(std::exchange(coded_, {}));
    for (int empty = 0; empty < kEmptyStepCountMax && is_busy(); ++empty) {
        const auto step = decoder_->next(coded_, room);
        if (!step) {
            // Too large is not a failure: the content is cut at the limit (Response::cut).
            if (step.error() != web::DecodeError::too_large) fail(step.error());
            is_full_ = true;
            return {};
        }
        coded_.remove_prefix(step->consumed);
        is_hungry_ = step->is_hungry;
        if (step->produced > 0) return within_limit({room.data(), step->produced});
    }
    return {};
}

std::string_view Content::within_limit(std::string_view part) {
    const std::uint64_t left = limits_.content_bytes_max - response_.content_bytes;
    if (part.size() > left) is_full_ = true;
    part = part.substr(0, std::min<std::uint64_t>(part.size(), left));
    response_.content_bytes += part.size();
    return part;
}

void Content::finish() {
    if (!decoder_) return;
    if (const auto ended = decoder_->finish(); !ended) fail(ended.error());
    response_.was_plain = decoder_->was_plain();
}

void Content::fail(web::DecodeError error) const {
    // A coded stream that ends too early is the same failure as a body that ends too early.
    const bool is_cut = error == web::DecodeError::truncated;
    clock_.fail(
        is_cut ? Failure::truncated : Failure::bad_encoding,
        fmt::format("{}: {} after {} bytes of content", is_cut ? "truncated" : "bad encoding",
                    describe(error), response_.content_bytes));
}

}  // namespace weft::http
