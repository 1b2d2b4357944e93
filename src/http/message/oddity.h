#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::http {

// Something a message had that the standard does not allow, and that was read all the same. Each
// of them is a decision; the connection is not used again after any of them.
enum class Oddity {
    // Empty lines (CRLF) before the status line.
    leading_empty_line,
    // A header line ended by LF alone.
    bare_lf,
    // A value continued on the next line (obs-fold): read as one space.
    folded_field,
    // Content-Length more than once, always the same digits.
    repeated_length,
    // Content-Length without a value: read as absent.
    empty_length,
    // Content-Length beside Transfer-Encoding: the latter wins.
    length_and_transfer_encoding,
    // Transfer-Encoding in HTTP/1.0: honoured.
    transfer_encoding_in_http10,
    // Transfer-Encoding other than just `chunked`.
    odd_transfer_encoding,
    // Spaces behind a chunk size.
    padded_chunk_size,
    // A status that has no body (204) announced one.
    unexpected_body,
};

// A word for logs and records: "bare-lf".
std::string_view name_of(Oddity oddity);

// A set of them.
class Oddities {
public:
    void add(Oddity oddity) { bits_ |= bit(oddity); }
    void add(Oddities others) { bits_ |= others.bits_; }
    bool has(Oddity oddity) const { return (bits_ & bit(oddity)) != 0; }
    bool any() const { return bits_ != 0; }

    // "bare-lf folded-field", empty when there are none.
    std::string names() const;

    bool operator==(const Oddities&) const = default;

private:
    static std::uint16_t bit(Oddity oddity) {
        return static_cast<std::uint16_t>(1U << static_cast<unsigned>(oddity));
    }

    std::uint16_t bits_ = 0;
};

}  // namespace weft::http
