#include <cstdlib>
#include <cstring>
#include <new>

#include <brotli/decode.h>

#include "web/coding/decode_stage.h"

namespace weft::web {

namespace {

struct DestroyBrotli {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

// Brotli cannot tell how much memory it uses. So this allocator counts: it stores the size in front
// of each piece.
struct CountedHeap {
    static constexpr std::size_t kFront = 16;  // Keeps the alignment of malloc().

    static void* allocate(void* count, std::size_t size) {
        auto* bytes = static_cast<char*>(std::malloc(size + kFront));
        if (!bytes) return nullptr;
        std::memcpy(bytes, &size, sizeof size);
        *static_cast<std::size_t*>(count) += size;
        return bytes + kFront;
    }
    static void release(void* count, void* memory) {
        if (!memory) return;
        char* bytes = static_cast<char*>(memory) - kFront;
        std::size_t size = 0;
        std::memcpy(&size, bytes, sizeof size);
        *static_cast<std::size_t*>(count) -= size;
        std::free(bytes);
    }
};

class BrotliStage final : public DecodeStage {
public:
    std::size_t memory_bytes() const override { return held_bytes_; }

private:
    Outcome decode_some(std::string_view input, std::span<char> output) override {
        Outcome outcome;
        if (ended_) {
            if (!input.empty()) outcome.error = DecodeError::trailing_data;
            return outcome;
        }
        if (!state_) {
            state_.reset(BrotliDecoderCreateInstance(CountedHeap::allocate, CountedHeap::release,
                                                     &held_bytes_));
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
        // The window is freed at once: only trailing bytes can follow.
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

    std::size_t held_bytes_ = 0;  // Declared before `state_`, which still counts in its destructor.
    std::unique_ptr<BrotliDecoderState, DestroyBrotli> state_;
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<DecodeStage> make_brotli_stage() {
    return std::make_unique<BrotliStage>();
}

}  // namespace weft::web
