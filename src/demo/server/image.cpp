#include "demo/server/image.h"

#include <array>

#include "base/random.h"
#include "demo/server/packed.h"

namespace weft::demo {

namespace {

constexpr unsigned kSide = 32;

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
    return bytes;
}

// A PNG chunk: length of the data, type, data, and the CRC of type and data.
std::string chunk(std::string_view type, std::string_view data) {
    const std::string body = std::string(type) + std::string(data);
    return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(crc32_of(body));
}

// Whether the warp is above the weft at a crossing: plain weave, twill, satin.
bool warp_is_above(std::uint64_t binding, unsigned x, unsigned y) {
    switch (binding) {
        case 0: return (x + y) % 2 == 0;
        case 1: return (x + y) % 4 < 2;
        default: return (x + 3 * y) % 5 == 0;
    }
}

}  // namespace

std::string weave_png(std::uint64_t seed) {
    Random random(seed);
    std::string palette;
    for (int i = 0; i < 6; ++i) palette += static_cast<char>(48 + random.below(192));
    const std::uint64_t binding = random.below(3);

    std::string rows;
    for (unsigned y = 0; y < kSide; ++y) {
        rows += '\0';  // No filter on this row.
        for (unsigned x = 0; x < kSide; ++x) {
            rows += warp_is_above(binding, x / 2, y / 2) ? '\1' : '\0';
        }
    }
    // Bit depth 8, colour type 3: indices into the palette.
    const std::string header =
        big_endian(kSide) + big_endian(kSide) + std::string("\x08\x03\0\0\0", 5);
    return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) + chunk("PLTE", palette) +
           chunk("IDAT", zlib_stream(rows)) + chunk("IEND", "");
}

std::string logo_svg() {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\" width=\"64\" "
           "height=\"64\">\n<g fill=\"none\" stroke-width=\"6\">\n"
           "<path stroke=\"#b5532a\" d=\"M12 4v56M32 4v56M52 4v56\"/>\n"
           "<path stroke=\"#27496d\" d=\"M4 12h16M28 12h32M4 32h32M44 32h16M4 52h16M28 52h32\"/>\n"
           "</g>\n</svg>\n";
}

}  // namespace weft::demo
