#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::http {

// Consecutive bytes of a body.
struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// What a Range field asks of a body of `size_bytes` (RFC 9110, 14).
struct RangeChoice {
    enum class Kind {
        whole,          // 200: no range, several, another unit, or nonsense: all may be ignored.
        part,           // 206
        unsatisfiable,  // 416: it lies behind the end.
    };
    Kind kind = Kind::whole;
    ByteRange range = {};  // Of Kind::part; never empty, never past the end.
};
RangeChoice choose_range(std::string_view field, std::uint64_t size_bytes);

}  // namespace weft::http
