#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::http {

// A part of some content (RFC 9110, 14): from `first` to `last`, from `first` to the end, or the
// last bytes. At least one of the two is set.
struct ByteRange {
    std::optional<std::uint64_t> first;  // Not set: the range is the last `last` bytes.
    std::optional<std::uint64_t> last;   // Inclusive. Not set: up to the end.

    // One range, as users and Range fields write it: "0-499", "500-", "-500".
    static std::optional<ByteRange> parse(std::string_view text);

    // "bytes=0-499".
    std::string to_header() const;

    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// The Content-Range of a 206: "bytes 0-499/1234".
struct ContentRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::optional<std::uint64_t> size;  // Of the whole content. Not set: unknown (`*`).

    static std::optional<ContentRange> parse(std::string_view text);

    std::uint64_t length() const { return last - first + 1; }

    // Whether this part is what was asked for: it has the right start and is not longer. It may be
    // shorter only if the content ends there.
    bool answers(const ByteRange& asked) const;
};

}  // namespace weft::http
