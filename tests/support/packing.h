#pragma once

#include <string>
#include <string_view>

// Encoders for the tests' bodies.
namespace weft::tests {

std::string gzip(std::string_view text);
std::string zlib(std::string_view text);
std::string raw_deflate(std::string_view text);

// `window_bits` over 24: the extension for large windows.
std::string brotli(std::string_view text, int window_bits);
std::string brotli(std::string_view text);

// A frame that does not state its size; `window_log` 0: the library's choice.
std::string zstd(std::string_view text, int window_log = 0);

}  // namespace weft::tests
