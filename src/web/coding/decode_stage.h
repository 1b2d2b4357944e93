#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "web/coding/decoder.h"

namespace weft::web {

// Undoes one content coding. A Decoder owns one stage for each coding of a message. Used by one
// thread at a time.
class DecodeStage {
public:
    struct Progress {
        std::size_t consumed = 0;
        std::size_t produced = 0;

        // Without more input the stage gives no more output and no error.
        bool is_hungry = false;
    };

    virtual ~DecodeStage() = default;

    // Decodes until the input is used up or the output is full. Bytes before an error are returned
    // first, and the next call returns the error.
    std::expected<Progress, DecodeError> step(std::string_view input, std::span<char> output);

    // Call at the end of the input: an error if the stream is not complete there.
    std::expected<void, DecodeError> finish() const;

    bool was_plain() const { return was_plain_; }

    // The memory in use, mostly the window of the coding.
    virtual std::size_t memory_bytes() const = 0;

protected:
    struct Outcome {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        std::optional<DecodeError> error = {};
        // The stream, or the current frame of it, is complete.
        bool ended = false;
    };

    // Decodes some input into some output. If it consumes and produces nothing, it needs more input
    // or more room for output.
    virtual Outcome decode_some(std::string_view input, std::span<char> output) = 0;

    // The error if the input ends here.
    virtual std::optional<DecodeError> error_at_end() const = 0;

    void set_plain() { was_plain_ = true; }

private:
    std::optional<DecodeError> error_;
    bool has_input_ = false;
    bool was_plain_ = false;
};

// A coding whose stream is one or more frames, each of which starts with a magic number: gzip's
// members, zstd's frames. Frames follow each other without a gap. Any other bytes after a frame are
// DecodeError::trailing_data.
class FramedStage : public DecodeStage {
public:
    explicit FramedStage(bool allow_plain) : allow_plain_(allow_plain) {}

protected:
    // Whether the bytes are a magic number or the beginning of one.
    virtual bool is_magic_prefix(std::string_view bytes) const = 0;
    virtual std::size_t magic_bytes() const = 0;
    virtual void start_frame() = 0;
    virtual Outcome decode_frame(std::string_view input, std::span<char> output) = 0;

private:
    Outcome decode_some(std::string_view input, std::span<char> output) final;
    std::optional<DecodeError> error_at_end() const final;
    Outcome match_magic(std::string_view input);
    Outcome pass_plain(std::string_view input, std::span<char> output);

    bool allow_plain_;
    bool is_in_frame_ = false;
    bool had_frame_ = false;
    std::array<char, 4> magic_{};  // The bytes of the magic number so far.
    std::size_t matched_ = 0;      // How many there are.
    std::size_t passed_ = 0;       // How many of them were passed on as a plain body.
};

std::unique_ptr<DecodeStage> make_gzip_stage(bool allow_plain);
std::unique_ptr<DecodeStage> make_deflate_stage();
std::unique_ptr<DecodeStage> make_brotli_stage();
std::unique_ptr<DecodeStage> make_zstd_stage(bool allow_plain);

}  // namespace weft::web
