#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::http {

// Something in a message that the standard does not allow and that we accept. Each enumerator is
// one such decision. After any of them the connection is not used again.
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
    // Spaces after a chunk size.
    padded_chunk_size,
    // A status that has no body (204) announced one.
    unexpected_body,
};

// The name in logs and records: "bare-lf".
std::string_view name_of(Oddity oddity);

// A set of oddities.
class Oddities {
public:
    void add(Oddity oddity) { bits_ |= bit(oddity); }
    void add(Oddities others) { bits_ |= others.bits_; }
    bool has(Oddity oddity) const { return (bits_ & bit(oddity)) != 0; }
    bool any() const { return bits_ != 0; }

    // The names, separated by spaces: "bare-lf folded-field". Empty for an empty set.
    std::string names() const;

    bool operator==(const Oddities&) const = default;

private:
    static std::uint16_t bit(Oddity oddity) {
        return static_cast<std::uint16_t>(1U << static_cast<unsigned>(oddity));
    }

    std::uint16_t bits_ = 0;
};

}  // namespace weft::http
