#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limits.h"
#include "web/charset/encoding.h"

// Which encoding an HTML document is in (H45). The HTML standard's order: a byte order mark, the
// HTTP header, the document's own meta tag or XML declaration, and windows-1252 if nobody says.
// Only labels of the Encoding standard count, at every step; others are as if they were not there.
namespace weft::web {

enum class EncodingSource : std::uint8_t {
    byte_order_mark,
    http_header,
    meta,             // In the first 1,024 bytes; or a UTF-16 XML declaration.
    late_meta,        // Later, but in the head.
    xml_declaration,  // "<?xml encoding=...", in text/html too.
    fallback,
};

struct EncodingGuess {
    Encoding encoding = Encoding::windows_1252;
    EncodingSource source = EncodingSource::fallback;

    // More bytes of the document would not change the guess.
    bool is_final = false;
};

// The encoding by the bytes at hand, which start the document. Bytes past limits::kSniffBytesMax
// are not looked at. If the guess is not final, more bytes may give another one: to be independent
// of how the bytes come in, ask until it is final, or the document ends. Each call reads all bytes
// anew, so ask when they have doubled, not for each one.
EncodingGuess guess_encoding(std::string_view first_bytes, std::string_view content_type_header);

// The encoding of a document of which `first_bytes` are all, or the first
// limits::kSniffBytesMax.
Encoding sniff_encoding(std::string_view first_bytes, std::string_view content_type_header);

}  // namespace weft::web
