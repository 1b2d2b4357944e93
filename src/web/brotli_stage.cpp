#include <new>

#include <brotli/decode.h>

#include "web/decode_stage.h"

namespace weft::web {

namespace {

struct DestroyBrotli {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

class BrotliStage final : public DecodeStage {
private:
    Outcome decode_some(std::string_view input, std::span<char> output) override {
        Outcome outcome;
        if (ended_) {
            if (!input.empty()) outcome.error = DecodeError::trailing_data;
            return outcome;
        }
        if (!state_) {
            state_.reset(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
            if (!state_) throw std::bad_alloc();
        }
        const auto* next_in = reinterpret_cast<const std::uint8_t*>(input.data());
        auto* next_out = reinterpret_cast<std::uint8_t*>(output.data());
        std::size_t available_in = input.size();
        std::size_t available_out = output.size();
        const BrotliDecoderResult result = BrotliDecoderDecompressStream(
            state_.get(), &available_in, &next_in, &available_out, &next_out, nullptr);
        outcome.consumed = input.size() - available_in;
        outcome.produced = output.size() - available_out;
        if (result == BROTLI_DECODER_RESULT_ERROR) outcome.error = DecodeError::corrupt;
        if (result == BROTLI_DECODER_RESULT_SUCCESS) {
            ended_ = outcome.ended = true;
            state_.reset();
        }
        return outcome;
    }

    std::optional<DecodeError> error_at_end() const override {
        if (ended_) return std::nullopt;
        return DecodeError::truncated;
    }

    std::unique_ptr<BrotliDecoderState, DestroyBrotli> state_;
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<DecodeStage> make_brotli_stage() {
    return std::make_unique<BrotliStage>();
}

}  // namespace weft::web
