#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/limits.h"

namespace weft::web {

class DecodeStage;

// The codings of HTTP that are not the identity.
enum class Coding { gzip, deflate, brotli, zstd };

// How decoding can end badly. What was handed out up to there is good.
enum class [[nodiscard]] DecodeError {
    unknown_coding,
    too_many_codings,
    // The bytes are no such stream, or a checksum is wrong.
    corrupt,
    // The stream goes on after the last byte.
    truncated,
    // Bytes follow the end of the stream.
    trailing_data,
    // More decoded bytes than allowed: all those allowed were handed out.
    too_large,
    // A zstd window over 8 MiB (RFC 9659).
    window_too_large,
};

std::string_view describe(DecodeError error);

// The codings of a message in the order they were applied.
struct Codings {
    std::array<Coding, limits::kContentCodingCountMax> list{};
    std::size_t count = 0;

    bool empty() const { return count == 0; }
};

// Reads a Content-Encoding value (several fields: joined by commas, H42). x-gzip and x-deflate are
// gzip and deflate; `identity` and `none`, a common mistake, are nothing.
std::expected<Codings, DecodeError> parse_codings(std::string_view list);

struct DecoderOptions {
    // The most bytes to hand out (H41). The bytes between two codings have the same bound.
    std::uint64_t decoded_bytes_max = limits::kBodyBytesMax;

    // Hand out bytes as they are where gzip or zstd is announced and the body does not start with
    // its magic number; was_plain() then says so (H44). Off: DecodeError::corrupt.
    bool allow_plain = false;
};

// Undoes up to two content codings, in steps, on input cut anywhere. Any cut gives the same bytes
// and the same end, with one exception: brotli and zstd work ahead of their output, so that of a
// corrupt stream less may come out when more was given at once, even less than the bound on it.
//
// - gzip: any number of members, one after the other; all checksums are verified.
// - deflate: with the zlib wrapper, as the standard says, or without, as some servers do.
// - br: windows up to 16 MiB, the most that the format has without its large window extension.
// - zstd: any number of frames; windows up to 8 MiB.
// - No bytes at all are an empty body in any coding: servers announce one and send nothing.
//
// Memory is the codecs' windows, taken when the first byte comes.
class Decoder {
public:
    explicit Decoder(const Codings& codings, const DecoderOptions& options = {});
    ~Decoder();
    Decoder(Decoder&&) noexcept;
    Decoder& operator=(Decoder&&) noexcept;

    struct Step {
        // How many bytes at the front of the input are done with.
        std::size_t consumed = 0;

        // How many bytes were written to the front of the output.
        std::size_t produced = 0;

        // Nothing more comes out without more input; all of the input is consumed.
        bool is_hungry = false;
    };

    // One step: at most limits::kDecodeStepBytes into `output`, however much the input would give,
    // so that the caller can look at the clock in between. Call until it is hungry. An error stays.
    // REQUIRES: output is not empty.
    std::expected<Step, DecodeError> next(std::string_view input, std::span<char> output);

    // The input is over and the decoder hungry: whether the stream was complete.
    std::expected<void, DecodeError> finish();

    // next() over all of `input`, each piece of output given to `sink(std::string_view)`.
    template <class Sink>
    std::expected<void, DecodeError> feed(std::string_view input, std::span<char> scratch,
                                          Sink&& sink) {
        while (true) {
            const auto step = next(input, scratch);
            if (!step) return std::unexpected(step.error());
            if (step->produced > 0) sink(std::string_view(scratch.data(), step->produced));
            input.remove_prefix(step->consumed);
            if (step->is_hungry) return {};
        }
    }

    // A body announced as coded came as it is.
    bool was_plain() const;

    std::uint64_t decoded_bytes() const { return decoded_bytes_; }

    // What the codings hold now. It grows with the first bytes of a stream, up to some 20 MiB for
    // each coding.
    std::size_t memory_bytes() const;

private:
    std::expected<Step, DecodeError> advance(std::string_view input, std::span<char> output);
    std::expected<Step, DecodeError> advance_both(std::string_view input, std::span<char> output);

    DecoderOptions options_;
    std::uint64_t decoded_bytes_ = 0;
    std::optional<DecodeError> error_;

    // In the order of decoding, the reverse of Codings. Between two lies `middle_`, of which
    // [middle_begin_, middle_end_) waits.
    std::array<std::unique_ptr<DecodeStage>, limits::kContentCodingCountMax> stages_;
    std::size_t stage_count_ = 0;
    std::unique_ptr<char[]> middle_;
    std::size_t middle_begin_ = 0;
    std::size_t middle_end_ = 0;
    std::uint64_t middle_bytes_ = 0;
    bool second_is_hungry_ = true;
};

// A whole body at once, for what is small or already in memory.
struct Decoded {
    std::string bytes;
    std::optional<DecodeError> error;
    bool was_plain = false;
};
Decoded decode(std::string_view body, const Codings& codings, const DecoderOptions& options = {});

}  // namespace weft::web
