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

// Why decoding failed. The bytes that were returned before the error are good.
enum class [[nodiscard]] DecodeError {
    unknown_coding,
    too_many_codings,
    // The bytes are not a stream of this coding, or a checksum is wrong.
    corrupt,
    // The input ends before the stream does.
    truncated,
    // Bytes follow the end of the stream.
    trailing_data,
    // There are more decoded bytes than allowed. All allowed bytes were returned.
    too_large,
    // A zstd window over 8 MiB (RFC 9659).
    window_too_large,
};

std::string_view describe(DecodeError error);

// The codings of a message, in the order in which the server applied them.
struct Codings {
    std::array<Coding, limits::kContentCodingCountMax> list{};
    std::size_t count = 0;

    bool empty() const { return count == 0; }
};

// Parses a Content-Encoding value (RFC 9110 section 8.4). The caller joins several fields by commas
// (H42). x-gzip and x-deflate mean gzip and deflate. `identity` and `none` (a common mistake) mean
// no coding.
std::expected<Codings, DecodeError> parse_codings(std::string_view list);

struct DecoderOptions {
    // The maximum of decoded bytes (H41). It also limits the bytes between two codings.
    std::uint64_t decoded_bytes_max = limits::kBodyBytesMax;

    // Whether a body that is announced as gzip or zstd but does not start with its magic number is
    // returned as it is (H44); was_plain() is then true. If off, such a body is
    // DecodeError::corrupt.
    bool allow_plain = false;
};

// Undoes up to two content codings step by step, on input that comes in pieces. The cuts between
// pieces do not change the bytes or the error, with one exception: brotli and zstd decode ahead of
// their output, so a corrupt stream may give fewer bytes when more input is given at once, even
// fewer than decoded_bytes_max.
//
// - gzip: any number of members, one after the other; all checksums are verified.
// - deflate: with the zlib wrapper, as the standard says, or without it, as some servers send it.
// - br: windows up to 16 MiB, the maximum of the format without its large window extension.
// - zstd: any number of frames; windows up to 8 MiB.
// - An empty input is an empty body in every coding: some servers announce a coding and send
//   nothing.
//
// The memory is mostly the windows of the codecs. They are allocated when the first byte comes.
// Used by one thread at a time.
class Decoder {
public:
    explicit Decoder(const Codings& codings, const DecoderOptions& options = {});
    ~Decoder();
    Decoder(Decoder&&) noexcept;
    Decoder& operator=(Decoder&&) noexcept;

    struct Step {
        // How many bytes at the front of the input were used.
        std::size_t consumed = 0;

        // How many bytes were written to the front of the output.
        std::size_t produced = 0;

        // All of the input is consumed, and without more input there is no more output.
        bool is_hungry = false;
    };

    // Makes one step: writes at most limits::kDecodeStepBytes to `output`, even if the input gives
    // more, so that the caller can check the time between steps. Call it until it is hungry. After
    // an error every call returns that error. REQUIRES: output is not empty.
    std::expected<Step, DecodeError> next(std::string_view input, std::span<char> output);

    // Call at the end of the input: an error if the stream is not complete. REQUIRES: the last step
    // was hungry.
    std::expected<void, DecodeError> finish();

    // Calls next() until all of `input` is decoded, and passes each piece of output to
    // `sink(std::string_view)`. The piece is in `scratch` and valid during that call.
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

    // Whether a body that was announced as coded was not coded (DecoderOptions::allow_plain).
    bool was_plain() const;

    std::uint64_t decoded_bytes() const { return decoded_bytes_; }

    // The memory that the codings use now. It grows with the first bytes of a stream, up to about
    // 20 MiB for each coding.
    std::size_t memory_bytes() const;

private:
    std::expected<Step, DecodeError> advance(std::string_view input, std::span<char> output);
    std::expected<Step, DecodeError> advance_both(std::string_view input, std::span<char> output);

    DecoderOptions options_;
    std::uint64_t decoded_bytes_ = 0;
    std::optional<DecodeError> error_;

    // In the order of decoding, which is the reverse of Codings. With two stages, the output of the
    // first goes to `middle_`, and [middle_begin_, middle_end_) is not yet read by the second.
    std::array<std::unique_ptr<DecodeStage>, limits::kContentCodingCountMax> stages_;
    std::size_t stage_count_ = 0;
    std::unique_ptr<char[]> middle_;
    std::size_t middle_begin_ = 0;
    std::size_t middle_end_ = 0;
    std::uint64_t middle_bytes_ = 0;
    bool second_is_hungry_ = true;
};

// A whole decoded body, for bodies that are small or already in memory.
struct Decoded {
    std::string bytes;
    std::optional<DecodeError> error;
    bool was_plain = false;
};
Decoded decode(std::string_view body, const Codings& codings, const DecoderOptions& options = {});

}  // namespace weft::web
