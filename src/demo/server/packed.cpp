#include "demo/server/packed.h"

#include <zlib.h>

#include "base/assert.h"

namespace weft::demo {

namespace {

constexpr int kWindowBits = 15;
constexpr int kGzipFraming = 16;  // Added to the window bits, it selects gzip framing in zlib.

std::string deflate_with(std::string_view bytes, int window_bits) {
    z_stream stream{};
    WEFT_ASSERT(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_bits, 8,
                             Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    WEFT_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace

std::string gzip(std::string_view bytes) {
    return deflate_with(bytes, kWindowBits + kGzipFraming);
}

std::string zlib_stream(std::string_view bytes) {
    return deflate_with(bytes, kWindowBits);
}

std::uint32_t crc32_of(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

}  // namespace weft::demo
