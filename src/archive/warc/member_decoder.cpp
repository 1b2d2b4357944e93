#include "archive/warc/member_decoder.h"

#include <algorithm>
#include <new>

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include "base/assert.h"

namespace weft::archive {

namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
constexpr std::string_view kZstdSkippableEnd = "\x2A\x4D\x18";  // After a byte of 0x50 to 0x5F.
// zlib's largest window (2^15), and 16, which asks for the gzip format.
constexpr int kInflateWindowBits = 15 + 16;
// 2^27 bytes are 128 MiB.
constexpr int kZstdWindowLogMax = 27;
constexpr std::size_t kStepBytes = 1 << 20;

struct FreeDeflate {
    void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
};
struct FreeZstd {
    void operator()(ZSTD_DCtx* it) const { ZSTD_freeDCtx(it); }
};

// A small member that is in the input as a whole is decompressed by libdeflate, three times as fast
// as zlib. All others are decompressed by zlib.
class GzipDecoder final : public MemberDecoder {
public:
    GzipDecoder() : whole_(libdeflate_alloc_decompressor()) {
        if (!whole_ || inflateInit2(&stream_, kInflateWindowBits) != Z_OK) throw std::bad_alloc();
    }
    ~GzipDecoder() override { inflateEnd(&stream_); }

    Step decode(std::string_view input, std::string& out) override {
        if (!is_inside_) {
            if (input.empty()) return {};
            std::size_t consumed = 0;
            std::size_t made = 0;
            const libdeflate_result result =
                libdeflate_gzip_decompress_ex(whole_.get(), input.data(), input.size(), room_.get(),
                                              kStepBytes, &consumed, &made);
            if (result == LIBDEFLATE_SUCCESS) {
                out.append(room_.get(), made);
                return {consumed, made, State::member_end};
            }
            // Too large, not complete or damaged: libdeflate keeps no state, so zlib starts from
            // the member's first byte and finds out which.
            WEFT_ASSERT(inflateReset(&stream_) == Z_OK);
            is_inside_ = true;
        }
        return inflate_some(input, out);
    }

private:
    Step inflate_some(std::string_view input, std::string& out) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        stream_.avail_in = static_cast<uInt>(std::min(input.size(), std::size_t{1} << 30));
        const std::size_t offered = stream_.avail_in;
        stream_.next_out = reinterpret_cast<Bytef*>(room_.get());
        stream_.avail_out = kStepBytes;
        const int result = inflate(&stream_, Z_NO_FLUSH);
        Step step{offered - stream_.avail_in, kStepBytes - stream_.avail_out, State::more};
        out.append(room_.get(), step.made);
        if (result == Z_STREAM_END) {
            is_inside_ = false;
            step.state = State::member_end;
        } else if (result != Z_OK && result != Z_BUF_ERROR && step.made == 0) {
            step.state = State::damaged;  // If this step made bytes, the next call reports it.
        }
        return step;
    }

    std::unique_ptr<libdeflate_decompressor, FreeDeflate> whole_;
    std::unique_ptr<char[]> room_ = std::make_unique_for_overwrite<char[]>(kStepBytes);
    z_stream stream_{};
    bool is_inside_ = false;  // Inside a member that zlib decompresses.
};

class ZstdDecoder final : public MemberDecoder {
public:
    ZstdDecoder() : context_(ZSTD_createDCtx()) {
        if (!context_) throw std::bad_alloc();
        const std::size_t result =
            ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kZstdWindowLogMax);
        WEFT_ASSERT(!ZSTD_isError(result));
    }

    Step decode(std::string_view input, std::string& out) override {
        if (is_damaged_) return {0, 0, State::damaged};
        if (input.empty() && !may_hold_more_) return {};
        if (wanted_bytes_ == 0) {  // A frame that is in the input as a whole takes one step.
            const Step step = decompress(input, out);
            if (!is_damaged_) return step;
            // zstd drops the good blocks of the input that has the damage. The frame is read again
            // block by block, so that the cuts of the input do not change what is returned.
            ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
            is_damaged_ = false;
            wanted_bytes_ = kFrameStartBytes;
        }
        // zstd wants the header of the next block, too, which may be damaged.
        const std::size_t count =
            wanted_bytes_ - (wanted_bytes_ > kBlockHeaderBytes ? kBlockHeaderBytes : 0);
        return decompress(input.substr(0, count), out);
    }

private:
    static constexpr std::size_t kFrameStartBytes = 5;  // What zstd reads first.
    static constexpr std::size_t kBlockHeaderBytes = 3;

    Step decompress(std::string_view input, std::string& out) {
        ZSTD_inBuffer in{input.data(), input.size(), 0};
        ZSTD_outBuffer room{room_.get(), kStepBytes, 0};
        const std::size_t result = ZSTD_decompressStream(context_.get(), &room, &in);
        if (ZSTD_isError(result)) {
            is_damaged_ = true;
            return {0, 0, State::damaged};
        }
        out.append(room_.get(), room.pos);
        may_hold_more_ = room.pos == room.size;
        wanted_bytes_ = result;
        return {in.pos, room.pos, result == 0 ? State::member_end : State::more};
    }

    std::unique_ptr<ZSTD_DCtx, FreeZstd> context_;
    std::unique_ptr<char[]> room_ = std::make_unique_for_overwrite<char[]>(kStepBytes);
    std::size_t wanted_bytes_ = 0;  // What zstd asks for next; 0 before a frame.
    bool may_hold_more_ = false;    // The last step filled the room; there may be more output.
    bool is_damaged_ = false;
};

}  // namespace

std::unique_ptr<MemberDecoder> make_member_decoder(Packing packing) {
    WEFT_ASSERT(packing != Packing::none);
    if (packing == Packing::gzip) return std::make_unique<GzipDecoder>();
    return std::make_unique<ZstdDecoder>();
}

std::optional<Packing> sniff_packing(std::string_view start) {
    if (start.starts_with(kGzipMagic)) return Packing::gzip;
    if (start.starts_with(kZstdMagic)) return Packing::zstd;
    // A .warc.zst file may begin with a skippable frame, which holds a dictionary.
    const bool is_skippable =
        !start.empty() && (static_cast<unsigned char>(start[0]) & 0xF0) == 0x50;
    if (is_skippable && start.substr(1).starts_with(kZstdSkippableEnd)) return Packing::zstd;
    const bool can_be_packed = kGzipMagic.starts_with(start) || kZstdMagic.starts_with(start) ||
                               (is_skippable && kZstdSkippableEnd.starts_with(start.substr(1)));
    if (can_be_packed) return std::nullopt;
    return Packing::none;
}

}  // namespace weft::archive
