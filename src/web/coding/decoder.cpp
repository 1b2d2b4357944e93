#include "web/coding/decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/bytes.h"
#include "base/units.h"
#include "web/coding/decode_stage.h"

namespace weft::web {

namespace {

constexpr std::size_t kMiddleBytes = 16_KiB;  // The buffer between two codings.

std::unique_ptr<DecodeStage> make_stage(Coding coding, bool allow_plain) {
    switch (coding) {
        case Coding::gzip: return make_gzip_stage(allow_plain);
        case Coding::deflate: return make_deflate_stage();
        case Coding::brotli: return make_brotli_stage();
        case Coding::zstd: return make_zstd_stage(allow_plain);
    }
    std::unreachable();
}

// One step of a stage that has produced `total` of at most `bytes_max` bytes. At the bound it asks
// for one byte more: only if that byte comes, the stream is too large. So a stream of exactly
// `bytes_max` bytes is still complete.
std::expected<Decoder::Step, DecodeError> bounded_step(DecodeStage& stage, std::string_view input,
                                                       std::span<char> output, std::uint64_t& total,
                                                       std::uint64_t bytes_max) {
    char extra = 0;
    const bool is_full = total == bytes_max;
    std::span<char> room(&extra, 1);
    if (!is_full) {
        room = output.first(
            static_cast<std::size_t>(std::min<std::uint64_t>(output.size(), bytes_max - total)));
    }
    const auto progress = stage.step(input, room);
    if (!progress) return std::unexpected(progress.error());
    if (is_full && progress->produced > 0) return std::unexpected(DecodeError::too_large);
    total += progress->produced;
    return Decoder::Step{.consumed = progress->consumed,
                         .produced = progress->produced,
                         .is_hungry = progress->is_hungry};
}

}  // namespace

std::string_view describe(DecodeError error) {
    switch (error) {
        case DecodeError::unknown_coding: return "unknown content coding";
        case DecodeError::too_many_codings: return "more than 2 content codings";
        case DecodeError::corrupt: return "corrupt compressed data";
        case DecodeError::truncated: return "compressed data cut short";
        case DecodeError::trailing_data: return "bytes after the end of compressed data";
        case DecodeError::too_large: return "too large when decompressed";
        case DecodeError::window_too_large: return "zstd window over 8 MiB";
    }
    std::unreachable();
}

std::expected<Codings, DecodeError> parse_codings(std::string_view list) {
    Codings codings;
    while (true) {
        const std::size_t comma = list.find(',');
        const std::string_view name = trim(list.substr(0, comma));
        const auto is = [&](std::string_view other) { return equals_ignore_case(name, other); };
        std::optional<Coding> coding;
        // RFC 9110 section 8.4.1: names have no case, and x-gzip means gzip.
        if (is("gzip") || is("x-gzip")) coding = Coding::gzip;
        if (is("deflate") || is("x-deflate")) coding = Coding::deflate;
        if (is("br")) coding = Coding::brotli;
        if (is("zstd")) coding = Coding::zstd;
        if (coding) {
            if (codings.count == codings.list.size()) {
                return std::unexpected(DecodeError::too_many_codings);
            }
            codings.list[codings.count++] = *coding;
        } else if (!name.empty() && !is("identity") && !is("none")) {
            return std::unexpected(DecodeError::unknown_coding);
        }
        if (comma == std::string_view::npos) return codings;
        list.remove_prefix(comma + 1);
    }
}

Decoder::Decoder(const Codings& codings, const DecoderOptions& options)
    : options_(options), stage_count_(codings.count) {
    // The coding that was applied last is undone first.
    for (std::size_t i = 0; i < codings.count; ++i) {
        stages_[i] = make_stage(codings.list[codings.count - 1 - i], options.allow_plain);
    }
    if (stage_count_ > 1) middle_ = std::make_unique<char[]>(kMiddleBytes);
}

Decoder::~Decoder() = default;

std::size_t Decoder::memory_bytes() const {
    std::size_t bytes = middle_ ? kMiddleBytes : 0;
    for (std::size_t i = 0; i < stage_count_; ++i) bytes += stages_[i]->memory_bytes();
    return bytes;
}

Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

std::expected<Decoder::Step, DecodeError> Decoder::next(std::string_view input,
                                                        std::span<char> output) {
    WEFT_ASSERT(!output.empty());
    if (error_) return std::unexpected(*error_);
    auto step = advance(input, output.first(std::min(output.size(), limits::kDecodeStepBytes)));
    if (!step) error_ = step.error();
    return step;
}

std::expected<Decoder::Step, DecodeError> Decoder::advance(std::string_view input,
                                                           std::span<char> output) {
    // Without a coding the bytes are copied, so that callers need no case of their own.
    if (stage_count_ == 0) {
        const std::uint64_t room = options_.decoded_bytes_max - decoded_bytes_;
        if (room == 0 && !input.empty()) return std::unexpected(DecodeError::too_large);
        const std::size_t copied =
            static_cast<std::size_t>(std::min<std::uint64_t>({input.size(), output.size(), room}));
        if (copied > 0) std::memcpy(output.data(), input.data(), copied);
        decoded_bytes_ += copied;
        return Step{.consumed = copied, .produced = copied, .is_hungry = copied == input.size()};
    }
    if (stage_count_ == 1) {
        return bounded_step(*stages_[0], input, output, decoded_bytes_, options_.decoded_bytes_max);
    }
    return advance_both(input, output);
}

// The second stage decodes all waiting bytes before the first stage fills the middle again. So an
// error of the first stage is reported after all bytes that come before it.
std::expected<Decoder::Step, DecodeError> Decoder::advance_both(std::string_view input,
                                                                std::span<char> output) {
    Step step;
    if (!second_is_hungry_) {
        const std::string_view waiting(middle_.get() + middle_begin_, middle_end_ - middle_begin_);
        const auto second =
            bounded_step(*stages_[1], waiting, output, decoded_bytes_, options_.decoded_bytes_max);
        if (!second) return std::unexpected(second.error());
        middle_begin_ += second->consumed;
        second_is_hungry_ = second->is_hungry;
        step.produced = second->produced;
        return step;
    }
    const auto first = bounded_step(*stages_[0], input, {middle_.get(), kMiddleBytes},
                                    middle_bytes_, options_.decoded_bytes_max);
    if (!first) return std::unexpected(first.error());
    middle_begin_ = 0;
    middle_end_ = first->produced;
    second_is_hungry_ = first->produced == 0;
    step.consumed = first->consumed;
    step.is_hungry = first->is_hungry && second_is_hungry_;
    return step;
}

std::expected<void, DecodeError> Decoder::finish() {
    if (error_) return std::unexpected(*error_);
    for (std::size_t i = 0; i < stage_count_; ++i) {
        const auto finished = stages_[i]->finish();
        if (!finished) {
            error_ = finished.error();
            return finished;
        }
    }
    return {};
}

bool Decoder::was_plain() const {
    return std::ranges::any_of(stages_, [](const auto& s) { return s && s->was_plain(); });
}

Decoded decode(std::string_view body, const Codings& codings, const DecoderOptions& options) {
    Decoded decoded;
    Decoder decoder(codings, options);
    std::string scratch(limits::kDecodeStepBytes, '\0');
    auto result =
        decoder.feed(body, scratch, [&](std::string_view piece) { decoded.bytes += piece; });
    if (result) result = decoder.finish();
    if (!result) decoded.error = result.error();
    decoded.was_plain = decoder.was_plain();
    return decoded;
}

}  // namespace weft::web
