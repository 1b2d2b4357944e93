#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "web/charset/encoding.h"

// Text to bytes of a legacy encoding. The web needs it for one thing: the query of a URL is encoded
// as the page was that holds the link, and a server that is given other bytes does not find the
// page.
namespace weft::web {

// Turns UTF-8 into bytes of one encoding, as the Encoding standard has it. Malformed UTF-8 counts
// as U+FFFD. Its first use in a process of a multi-byte encoding sorts that encoding's index (some
// milliseconds, up to 48 KB); any thread may be the first.
class TextEncoder {
public:
    // Encodes to output_encoding(encoding).
    explicit TextEncoder(Encoding encoding) : encoding_(output_encoding(encoding)) {}

    // Appends the bytes of `text` to `out`, up to the end or the first character the encoding
    // lacks, which is returned; `text` is then what remains behind it. To end with, finish().
    std::optional<char32_t> encode(std::string_view& text, std::string& out);

    // Appends what brings the bytes back to ASCII; only ISO-2022-JP needs it.
    void finish(std::string& out);

private:
    // The character to report if the encoding lacks `c`.
    std::optional<char32_t> put(char32_t c, std::string& out);
    std::optional<char32_t> put_iso_2022_jp(char32_t c, std::string& out);

    enum class Set : std::uint8_t { ascii, roman, kanji };
    void switch_to(Set set, std::string& out);

    Encoding encoding_;
    Set set_ = Set::ascii;
};

// All of `text` at once; a character the encoding lacks becomes a reference such as "&#9731;".
std::string encode_text(Encoding encoding, std::string_view text);

// All of `text` encoded, then each byte in `escaped` as %XX: what the URL standard calls
// percent-encode after encoding. A character the encoding lacks becomes "%26%239731%3B".
using ByteSet = std::bitset<256>;
std::string percent_encode(Encoding encoding, std::string_view text, const ByteSet& escaped);

}  // namespace weft::web
