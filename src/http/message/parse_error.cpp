#include "http/message/parse_error.h"

#include <utility>

namespace weft::http {

std::string_view describe(ParseError error) {
    // The numbers are those of base/limits.h.
    switch (error) {
        case ParseError::not_http: return "not HTTP";
        case ParseError::tls_record:
            return "a TLS record where HTTP was due; is this an https port?";
        case ParseError::bad_status: return "bad status line";
        case ParseError::bad_request_line: return "bad request line";
        case ParseError::bad_version: return "HTTP version is not 1.x";
        case ParseError::line_too_long: return "header line over 64 KiB";
        case ParseError::header_block_too_large: return "header block over 256 KiB";
        case ParseError::too_many_fields: return "more than 1,000 header fields";
        case ParseError::bad_field_name: return "bad header field name";
        case ParseError::missing_colon: return "header line without a colon";
        case ParseError::misplaced_fold: return "header line starts with a space";
        case ParseError::bare_cr: return "carriage return inside a header line";
        case ParseError::bare_lf: return "line ended by a bare line feed";
        case ParseError::mixed_line_ends:
            return "the header block ends in another way than its last line";
        case ParseError::nul_byte: return "NUL byte in a header line";
        case ParseError::bad_host: return "Host is missing or repeated";
        case ParseError::bad_content_length: return "Content-Length is not a number";
        case ParseError::conflicting_content_lengths: return "Content-Length fields differ";
        case ParseError::bad_transfer_encoding:
            return "Transfer-Encoding leaves the length unknown";
        case ParseError::length_and_transfer_encoding:
            return "both Content-Length and Transfer-Encoding";
        case ParseError::bad_chunk_size: return "chunk size is not 1 to 15 hexadecimal digits";
        case ParseError::bad_chunk_end: return "no CRLF where a chunk ends";
        case ParseError::chunk_size_line_too_long: return "chunk size line over 256 bytes";
        case ParseError::chunk_extensions_too_large: return "chunk extensions over 4 KiB";
        case ParseError::trailers_too_large: return "trailers over 16 KiB";
        case ParseError::too_many_interim_responses: return "more than 8 interim responses";
        case ParseError::unasked_upgrade: return "101 Switching Protocols, which nobody asked for";
        case ParseError::closed_before_message: return "closed before the first byte";
        case ParseError::truncated_head: return "closed inside the header block";
        case ParseError::truncated_body: return "closed inside the body";
    }
    std::unreachable();
}

}  // namespace weft::http
