#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "web/charset/encoding.h"

// Encodes text in a legacy encoding. The web needs this for one purpose: the query of a link has
// the encoding of its page. A server that gets other bytes does not find the page.
namespace weft::web {

// Encodes UTF-8 in one encoding, by the Encoding standard. Malformed UTF-8 counts as U+FFFD. The
// first use of a multi-byte encoding in a process sorts the index of that encoding (some
// milliseconds, up to 48 KB); this is thread-safe. An encoder itself is used by one thread.
class TextEncoder {
public:
    // Encodes to output_encoding(encoding).
    explicit TextEncoder(Encoding encoding) : encoding_(output_encoding(encoding)) {}

    // Appends the bytes of `text` to `out`, up to its end or to the first character that the
    // encoding lacks. Returns that character and leaves the text after it in `text`. Call finish()
    // at the end.
    std::optional<char32_t> encode(std::string_view& text, std::string& out);

    // Appends the escape sequence that switches back to ASCII. Only ISO-2022-JP needs it.
    void finish(std::string& out);

private:
    // Appends `c`. If the encoding lacks it, returns the character to report.
    std::optional<char32_t> put(char32_t c, std::string& out);
    std::optional<char32_t> put_iso_2022_jp(char32_t c, std::string& out);

    enum class Set : std::uint8_t { ascii, roman, kanji };
    void switch_to(Set set, std::string& out);

    Encoding encoding_;
    Set set_ = Set::ascii;
};

// Encodes all of `text` at once. A character that the encoding lacks becomes a reference such as
// "&#9731;".
std::string encode_text(Encoding encoding, std::string_view text);

}  // namespace weft::web
