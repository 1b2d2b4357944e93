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

// One coding of a Decoder.
class DecodeStage {
public:
    struct Progress {
        std::size_t consumed = 0;
        std::size_t produced = 0;

        // Nothing more comes out without more input, not even a fault.
        bool is_hungry = false;
    };

    virtual ~DecodeStage() = default;

    // Goes on until the input is used up or the output full. Bytes decoded before a fault are
    // handed out first: the fault is the result of the next call.
    std::expected<Progress, DecodeError> step(std::string_view input, std::span<char> output);

    // Whether the stream ended where the input did.
    std::expected<void, DecodeError> finish() const;

    bool was_plain() const { return was_plain_; }

    // What it holds now: the window of the coding for the most part.
    virtual std::size_t memory_bytes() const = 0;

protected:
    struct Outcome {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        std::optional<DecodeError> error = {};
        // The stream, or this frame of it, is complete.
        bool ended = false;
    };

    // Decodes some input into some output. Nothing done means that it cannot go on without more of
    // one of them.
    virtual Outcome decode_some(std::string_view input, std::span<char> output) = 0;

    // What is wrong if the input ends here.
    virtual std::optional<DecodeError> error_at_end() const = 0;

    void set_plain() { was_plain_ = true; }

private:
    std::optional<DecodeError> error_;
    bool has_input_ = false;
    bool was_plain_ = false;
};

// A coding whose stream is one or more frames, each opened by a magic number: gzip's members,
// zstd's frames. Frames follow each other without a gap; whatever else follows is trailing data.
class FramedStage : public DecodeStage {
public:
    explicit FramedStage(bool allow_plain) : allow_plain_(allow_plain) {}

protected:
    // Whether these bytes can open a frame, or be the start of what does.
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
    std::array<char, 4> magic_{};
    std::size_t matched_ = 0;
    std::size_t passed_ = 0;
};

std::unique_ptr<DecodeStage> make_gzip_stage(bool allow_plain);
std::unique_ptr<DecodeStage> make_deflate_stage();
std::unique_ptr<DecodeStage> make_brotli_stage();
std::unique_ptr<DecodeStage> make_zstd_stage(bool allow_plain);

}  // namespace weft::web
