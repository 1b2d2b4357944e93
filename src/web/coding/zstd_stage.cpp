#include <new>

#include <zstd.h>
#include <zstd_errors.h>

#include "base/assert.h"
#include "web/coding/decode_stage.h"

namespace weft::web {

namespace {

constexpr int kWindowLogMax = 23;  // 8 MiB, the limit of RFC 9659.

struct DestroyZstd {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdStage final : public FramedStage {
public:
    using FramedStage::FramedStage;

    std::size_t memory_bytes() const override {
        return context_ ? ZSTD_sizeof_DCtx(context_.get()) : 0;
    }

private:
    // A frame or one of the sixteen kinds of skippable frames (RFC 8878 sections 3.1.1 and 3.1.2).
    bool is_magic_prefix(std::string_view bytes) const override {
        if (std::string_view("\x28\xb5\x2f\xfd").starts_with(bytes)) return true;
        return (bytes[0] & 0xF0) == 0x50 &&
               std::string_view("\x2a\x4d\x18").starts_with(bytes.substr(1));
    }
    std::size_t magic_bytes() const override { return 4; }

    void start_frame() override {
        if (!context_) {
            context_.reset(ZSTD_createDCtx());
            if (!context_) throw std::bad_alloc();
            const std::size_t result =
                ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
            WEFT_ASSERT(!ZSTD_isError(result));
        }
        ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    }

    // FramedStage passes the magic number in a call of its own, so zstd never sees a whole frame at
    // once. For a whole frame zstd would take a shortcut that does not check the window size.
    Outcome decode_frame(std::string_view input, std::span<char> output) override {
        ZSTD_inBuffer in{input.data(), input.size(), 0};
        ZSTD_outBuffer out{output.data(), output.size(), 0};
        const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
        Outcome outcome{.consumed = in.pos, .produced = out.pos};
        if (ZSTD_isError(result)) {
            const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
            if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
            outcome.error = code == ZSTD_error_frameParameter_windowTooLarge
                                ? DecodeError::window_too_large
                                : DecodeError::corrupt;
            return outcome;
        }
        outcome.ended = result == 0;
        return outcome;
    }

    std::unique_ptr<ZSTD_DCtx, DestroyZstd> context_;
};

}  // namespace

std::unique_ptr<DecodeStage> make_zstd_stage(bool allow_plain) {
    return std::make_unique<ZstdStage>(allow_plain);
}

}  // namespace weft::web
