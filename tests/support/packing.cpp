#include "support/packing.h"

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

namespace weft::tests {
namespace {

std::string deflate_with(std::string_view text, int window_bits) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace

std::string gzip(std::string_view text) {
    return deflate_with(text, 31);
}
std::string zlib(std::string_view text) {
    return deflate_with(text, 15);
}
std::string raw_deflate(std::string_view text) {
    return deflate_with(text, -15);
}

std::string brotli(std::string_view text, int window_bits) {
    BrotliEncoderState* state = BrotliEncoderCreateInstance(nullptr, nullptr, nullptr);
    BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 5);
    BrotliEncoderSetParameter(state, BROTLI_PARAM_LARGE_WINDOW, window_bits > 24);
    BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, static_cast<std::uint32_t>(window_bits));
    std::string out(BrotliEncoderMaxCompressedSize(text.size()) + 64, '\0');
    std::size_t available_in = text.size();
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(text.data());
    std::size_t available_out = out.size();
    auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
    BrotliEncoderCompressStream(state, BROTLI_OPERATION_FINISH, &available_in, &next_in,
                                &available_out, &next_out, nullptr);
    BrotliEncoderDestroyInstance(state);
    out.resize(out.size() - available_out);
    return out;
}

std::string brotli(std::string_view text) {
    return brotli(text, BROTLI_DEFAULT_WINDOW);
}

std::string zstd(std::string_view text, int window_log) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    std::string out(ZSTD_compressBound(text.size()) + 64, '\0');
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    // In two calls, so that the frame does not know its size and must state a window.
    ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush);
    ZSTD_compressStream2(context, &output, &input, ZSTD_e_end);
    ZSTD_freeCCtx(context);
    out.resize(output.pos);
    return out;
}

}  // namespace weft::tests
