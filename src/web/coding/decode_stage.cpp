#include "web/coding/decode_stage.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace weft::web {

std::expected<DecodeStage::Progress, DecodeError> DecodeStage::step(std::string_view input,
                                                                    std::span<char> output) {
    if (error_) return std::unexpected(*error_);
    if (!input.empty()) has_input_ = true;
    Progress total;
    while (true) {
        const Outcome outcome = decode_some(input, output);
        total.consumed += outcome.consumed;
        total.produced += outcome.produced;
        // The good bytes before an error are returned first. The next call returns the error.
        error_ = outcome.error;
        if (error_) {
            if (total.produced == 0) return std::unexpected(*error_);
            return total;
        }
        input.remove_prefix(outcome.consumed);
        output = output.subspan(outcome.produced);
        // Only a call that did nothing proves that the stage is hungry: a codec may still hold
        // output or report an error after it has consumed all input.
        const bool idle = outcome.consumed == 0 && outcome.produced == 0 && !outcome.ended;
        total.is_hungry = idle && input.empty();
        if (idle || output.empty()) return total;
    }
}

std::expected<void, DecodeError> DecodeStage::finish() const {
    if (error_) return std::unexpected(*error_);
    // Servers announce a coding for an empty body and send nothing.
    if (!has_input_ || was_plain_) return {};
    const std::optional<DecodeError> error = error_at_end();
    if (error) return std::unexpected(*error);
    return {};
}

DecodeStage::Outcome FramedStage::decode_some(std::string_view input, std::span<char> output) {
    if (was_plain()) return pass_plain(input, output);
    if (!is_in_frame_) return match_magic(input);
    Outcome outcome = decode_frame(input, output);
    if (outcome.ended) {
        is_in_frame_ = false;
        had_frame_ = true;
        matched_ = 0;
    }
    return outcome;
}

// Collects the magic number byte by byte, because the input may be cut inside it.
DecodeStage::Outcome FramedStage::match_magic(std::string_view input) {
    Outcome outcome;
    while (matched_ < magic_bytes()) {
        if (outcome.consumed == input.size()) return outcome;
        magic_[matched_] = input[outcome.consumed];
        if (!is_magic_prefix({magic_.data(), matched_ + 1})) {
            if (had_frame_) {
                outcome.error = DecodeError::trailing_data;
            } else if (allow_plain_) {
                set_plain();
                outcome.ended = true;  // Makes step() call again, now for the plain bytes.
            } else {
                outcome.error = DecodeError::corrupt;
            }
            return outcome;
        }
        ++matched_;
        ++outcome.consumed;
    }
    start_frame();
    is_in_frame_ = true;
    const Outcome opened = decode_frame({magic_.data(), matched_}, {});
    WEFT_ASSERT(opened.consumed == matched_ && !opened.error);
    return outcome;
}

DecodeStage::Outcome FramedStage::pass_plain(std::string_view input, std::span<char> output) {
    // First come the bytes that match_magic() consumed because they looked like a magic number.
    const std::string_view held(magic_.data() + passed_, matched_ - passed_);
    const std::size_t from_held = std::min(held.size(), output.size());
    if (from_held > 0) std::memcpy(output.data(), held.data(), from_held);
    passed_ += from_held;
    output = output.subspan(from_held);

    const std::size_t copied = std::min(input.size(), output.size());
    if (copied > 0) std::memcpy(output.data(), input.data(), copied);
    return {.consumed = copied, .produced = from_held + copied};
}

std::optional<DecodeError> FramedStage::error_at_end() const {
    if (is_in_frame_ || !had_frame_) return DecodeError::truncated;
    if (matched_ > 0) return DecodeError::trailing_data;
    return std::nullopt;
}

}  // namespace weft::web
