#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limits.h"
#include "web/charset/encoding.h"

// Finds the encoding of an HTML document (H45), in the order of the HTML standard: a byte order
// mark, the HTTP header, the document's own meta tag or XML declaration, else windows-1252. At
// every step only labels of the Encoding standard count; others are ignored.
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

    // More bytes of the document cannot change the guess.
    bool is_final = false;
};

// Guesses the encoding from the first bytes of the document. Bytes after limits::kSniffBytesMax are
// ignored. If the guess is not final, more bytes may change it. So that the result does not depend
// on the cuts between pieces, ask until the guess is final or the document ends. Each call reads
// all bytes again, so ask only when their number has doubled.
EncodingGuess guess_encoding(std::string_view first_bytes, std::string_view content_type_header);

// The encoding of a document. REQUIRES: `first_bytes` is the whole document or at least its first
// limits::kSniffBytesMax bytes.
Encoding sniff_encoding(std::string_view first_bytes, std::string_view content_type_header);

}  // namespace weft::web
