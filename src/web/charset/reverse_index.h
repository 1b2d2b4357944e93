#pragma once

#include <cstdint>
#include <optional>

// The reverse of the indexes: from code points to pointers, for the encoders.
namespace weft::web::detail {

// The pointer for a code point. If the index has several, it is the one that the standard's encoder
// uses.
std::optional<unsigned> big5_pointer(char32_t code_point);
std::optional<unsigned> euc_kr_pointer(char32_t code_point);
std::optional<unsigned> gb18030_pointer(char32_t code_point);
std::optional<unsigned> jis0208_pointer(char32_t code_point);
std::optional<unsigned> shift_jis_pointer(char32_t code_point);

// The pointer of the four-byte sequence for a code point. REQUIRES: the code point is not ASCII.
unsigned gb18030_range_pointer(char32_t code_point);

}  // namespace weft::web::detail
