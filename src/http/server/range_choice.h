#pragma once

#include <cstdint>
#include <string_view>

namespace weft::http {

// Which part of a body a Range field asks for (RFC 9110, 14).
struct RangeChoice {
    enum class Kind {
        whole,          // 200: several ranges, another unit, or malformed. All may be ignored.
        part,           // 206
        unsatisfiable,  // 416: the range begins after the end.
    };
    Kind kind = Kind::whole;

    // For Kind::part; never empty, never past the end.
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

// `field` is the value of Range, `size_bytes` the size of the whole body.
RangeChoice choose_range(std::string_view field, std::uint64_t size_bytes);

}  // namespace weft::http
