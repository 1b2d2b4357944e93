#include "web/charset/sniff_encoding.h"

#include <optional>

#include "web/charset/http_charset.h"
#include "web/charset/meta_prescan.h"

namespace weft::web {

namespace {

struct ByteOrderMark {
    std::string_view bytes;
    Encoding encoding;
};
constexpr ByteOrderMark kByteOrderMarks[] = {
    {"\xEF\xBB\xBF", Encoding::utf_8},
    {"\xFE\xFF", Encoding::utf_16be},
    {"\xFF\xFE", Encoding::utf_16le},
};

std::optional<Encoding> marked_encoding(std::string_view bytes) {
    for (const auto& [mark, encoding] : kByteOrderMarks) {
        if (bytes.starts_with(mark)) return encoding;
    }
    return std::nullopt;
}

// Whether more bytes could make this a byte order mark. True for no bytes at all.
bool may_start_a_mark(std::string_view bytes) {
    for (const auto& [mark, encoding] : kByteOrderMarks) {
        if (mark.starts_with(bytes)) return true;
    }
    return false;
}

}  // namespace

EncodingGuess guess_encoding(std::string_view first_bytes, std::string_view content_type_header) {
    using enum EncodingSource;
    const std::string_view bytes = first_bytes.substr(0, limits::kSniffBytesMax);
    const bool is_all = bytes.size() == limits::kSniffBytesMax;
    if (const auto marked = marked_encoding(bytes)) return {*marked, byte_order_mark, true};
    if (const auto charset = detail::http_charset(content_type_header)) {
        return {*charset, http_header, !may_start_a_mark(bytes)};
    }
    // A late meta wins over the XML declaration, as in a browser that loads the page again.
    const detail::Declared early = detail::prescan(bytes);
    if (early.encoding) return {*early.encoding, meta, true};
    const detail::Declared late = detail::late_meta(bytes);
    if (late.encoding) return {*late.encoding, late_meta, early.is_final};

    const bool is_final = is_all || (early.is_final && late.is_final);
    if (const auto xml = detail::xml_encoding(bytes)) return {*xml, xml_declaration, is_final};
    return {Encoding::windows_1252, fallback, is_final};
}

Encoding sniff_encoding(std::string_view first_bytes, std::string_view content_type_header) {
    return guess_encoding(first_bytes, content_type_header).encoding;
}

}  // namespace weft::web
