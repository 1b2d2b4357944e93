#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::redis {

// What a server answers to one command (RESP2).
struct Reply {
    enum class Kind : std::uint8_t { nil, integer, text, status, error, array };

    Kind kind = Kind::nil;
    std::int64_t integer = 0;
    std::string text;             // Of text, status and error.
    std::vector<Reply> elements;  // Of an array.

    bool is_nil() const { return kind == Kind::nil; }
    bool is_integer() const { return kind == Kind::integer; }
    bool is_text() const { return kind == Kind::text || kind == Kind::status; }
    bool is_array() const { return kind == Kind::array; }
    bool is_error() const { return kind == Kind::error; }

    // The first word of an error, by which Redis names its kind: "MOVED"; otherwise "".
    std::string_view code() const {
        return is_error() ? std::string_view(text).substr(0, text.find(' ')) : std::string_view();
    }

    friend bool operator==(const Reply&, const Reply&) = default;
};

}  // namespace weft::redis
