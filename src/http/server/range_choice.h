#pragma once

#include <cstdint>
#include <string_view>

namespace weft::http {

// What a Range field asks of a body of `size_bytes` (RFC 9110, 14).
struct RangeChoice {
    enum class Kind {
        whole,          // 200: no range, several, another unit, or nonsense: all may be ignored.
        part,           // 206
        unsatisfiable,  // 416: it lies behind the end.
    };
    Kind kind = Kind::whole;

    // Of Kind::part; never empty, never past the end.
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};
RangeChoice choose_range(std::string_view field, std::uint64_t size_bytes);

}  // namespace weft::http
