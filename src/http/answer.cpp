#include "http/answer.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/escape.h"
#include "http/failure.h"

namespace weft::http {

namespace {

web::Codings codings_of(const Headers& headers, std::string_view transfer_codings) {
    if (transfer_codings.empty() && !headers.contains("Content-Encoding")) return {};
    std::string list = headers.joined("Content-Encoding");
    if (!transfer_codings.empty()) {
        if (!list.empty()) list += ", ";
        list += transfer_codings;
    }
    const auto codings = web::parse_codings(list);
    if (!codings) {
        throw FetchError(
            Failure::bad_encoding,
            fmt::format("Content-Encoding '{}': {}", escape_for_terminal(utf8_prefix(list, 100)),
                        describe(codings.error())));
    }
    return *codings;
}

[[noreturn]] void fail_decoding(web::DecodeError error) {
    const Failure failure =
        error == web::DecodeError::truncated ? Failure::truncated : Failure::bad_encoding;
    throw FetchError(failure, fmt::format("content: {}", describe(error)));
}

}  // namespace

void Answer::take_wire(std::string_view bytes) {
    response_.wire_bytes += bytes.size();
    if (response_.wire_bytes > limits_.wire_bytes_max) is_full_ = true;
    sink_.on_wire(bytes);
}

void Answer::take_head(std::string_view transfer_codings) {
    const web::Codings codings = codings_of(response_.headers, transfer_codings);
    if (!codings.empty()) {
        // One byte more than is taken, to tell a full body from one that is too long.
        decoder_.emplace(codings,
                         web::DecoderOptions{.decoded_bytes_max = limits_.content_bytes_max + 1,
                                             .allow_plain = true});
    }
    sink_.on_head(response_);
}

void Answer::give(std::string_view content) {
    const std::uint64_t left = limits_.content_bytes_max - response_.content_bytes;
    if (content.size() > left) is_full_ = true;
    content = content.substr(0, std::min<std::uint64_t>(content.size(), left));
    response_.content_bytes += content.size();
    if (!content.empty()) sink_.on_content(content);
}

void Answer::take_content(std::string_view coded) {
    if (!decoder_) return give(coded);
    thread_local std::array<char, limits::kDecodeStepBytes> scratch;
    const auto fed =
        decoder_->feed(coded, scratch, [&](std::string_view content) { give(content); });
    if (!fed && fed.error() != web::DecodeError::too_large) fail_decoding(fed.error());
}

void Answer::finish() {
    if (is_full_) {
        response_.cut = Cut::length;
    } else if (decoder_) {
        if (const auto ended = decoder_->finish(); !ended) fail_decoding(ended.error());
    }
    if (decoder_) response_.was_plain = decoder_->was_plain();
}

// A window that ends too poor is the end.
bool Answer::keeps_pace(std::uint64_t bytes, TimePoint now) {
    window_bytes_ += bytes;
    const Duration elapsed = now - window_start_;
    if (elapsed < limits_.rate_window) return true;
    const double seconds = std::chrono::duration<double>(elapsed).count();
    const double needed = static_cast<double>(limits_.rate_bytes_per_second_min) * seconds;
    const bool is_fast_enough = static_cast<double>(window_bytes_) >= needed;
    window_start_ = now;
    window_bytes_ = 0;
    return is_fast_enough;
}

}  // namespace weft::http
