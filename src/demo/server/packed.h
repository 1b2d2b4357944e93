#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::demo {

// One gzip member without time and name, so that the same input always gives the same bytes.
std::string gzip(std::string_view bytes);

// A zlib stream, as PNG needs it.
std::string zlib_stream(std::string_view bytes);

// The checksum of gzip and PNG.
std::uint32_t crc32_of(std::string_view bytes);

}  // namespace weft::demo
