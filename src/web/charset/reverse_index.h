#pragma once

#include <cstdint>
#include <optional>

// From code points back to pointers, for the encoders.
namespace weft::web::detail {

// The pointer the standard's encoder uses for a code point, where the index has several.
std::optional<unsigned> big5_pointer(char32_t code_point);
std::optional<unsigned> euc_kr_pointer(char32_t code_point);
std::optional<unsigned> gb18030_pointer(char32_t code_point);
std::optional<unsigned> jis0208_pointer(char32_t code_point);
std::optional<unsigned> shift_jis_pointer(char32_t code_point);

// Of a four-byte sequence: any code point has one. REQUIRES: not ASCII.
unsigned gb18030_range_pointer(char32_t code_point);

}  // namespace weft::web::detail
