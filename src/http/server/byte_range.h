#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::http {

// A part of some content (RFC 9110, 14): from `first` to `last`, to the end, or the last bytes.
struct ByteRange {
    std::optional<std::uint64_t> first;  // None: the last `last` bytes.
    std::optional<std::uint64_t> last;   // Inclusive; none: to the end.

    // "0-499", "500-", "-500": one range, as people and Range fields write it.
    static std::optional<ByteRange> parse(std::string_view text);

    // "bytes=0-499".
    std::string to_header() const;

    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// "bytes 0-499/1234" of a 206.
struct ContentRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::optional<std::uint64_t> size;  // Of the whole; none: `*`.

    static std::optional<ContentRange> parse(std::string_view text);

    std::uint64_t length() const { return last - first + 1; }

    // Whether this part is what was asked for: it starts there and is no longer. A server may give
    // less only where the content ends.
    bool answers(const ByteRange& asked) const;
};

}  // namespace weft::http
