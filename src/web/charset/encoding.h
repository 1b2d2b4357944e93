#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// The character encodings of the web: exactly those of the WHATWG Encoding standard, with exactly
// its labels. Any other encoding (UTF-7, UTF-32, EBCDIC, CESU-8) is unknown here, even if a page or
// a server names it (H45).
namespace weft::web {

// In the standard's order, which the generated tables follow.
enum class Encoding : std::uint8_t {
    utf_8,
    ibm866,
    iso_8859_2,
    iso_8859_3,
    iso_8859_4,
    iso_8859_5,
    iso_8859_6,
    iso_8859_7,
    iso_8859_8,
    iso_8859_8_i,  // The same bytes as ISO-8859-8, but the text is in logical order.
    iso_8859_10,
    iso_8859_13,
    iso_8859_14,
    iso_8859_15,
    iso_8859_16,
    koi8_r,
    koi8_u,
    macintosh,
    windows_874,
    windows_1250,
    windows_1251,
    windows_1252,  // On the web, the labels of ASCII and ISO-8859-1 mean this, too.
    windows_1253,
    windows_1254,
    windows_1255,
    windows_1256,
    windows_1257,
    windows_1258,
    x_mac_cyrillic,
    gbk,
    gb18030,
    big5,
    euc_jp,
    iso_2022_jp,
    shift_jis,
    euc_kr,
    replacement,  // For labels of encodings that attacks use: their text is one U+FFFD.
    utf_16be,
    utf_16le,
    x_user_defined,
};
inline constexpr int kEncodingCount = 40;

// The encoding of a label ("latin1", " UTF8\n"). Case and the ASCII white space around it are
// ignored. No known label is longer than 19 bytes, so a longer one is refused at once.
std::optional<Encoding> encoding_for_label(std::string_view label);

// The standard's spelling: "UTF-8", "windows-1252", "Shift_JIS".
std::string_view name(Encoding encoding);

// The encoding for form submissions and URL queries of a page in `encoding`: the same, or UTF-8 for
// UTF-16 and replacement, which have no encoder.
Encoding output_encoding(Encoding encoding);

}  // namespace weft::web
