#pragma once

#include <string_view>

namespace weft::http {

// Why bytes are not a valid HTTP/1 message. After any of these errors the connection is closed.
enum class [[nodiscard]] ParseError {
    // The first line.
    not_http,
    tls_record,
    bad_status,
    bad_request_line,
    bad_version,

    // Fields.
    line_too_long,
    header_block_too_large,
    too_many_fields,
    bad_field_name,
    missing_colon,
    misplaced_fold,
    bare_cr,
    bare_lf,
    mixed_line_ends,
    nul_byte,
    bad_host,

    // Framing.
    bad_content_length,
    conflicting_content_lengths,
    bad_transfer_encoding,
    length_and_transfer_encoding,
    bad_chunk_size,
    bad_chunk_end,
    chunk_size_line_too_long,
    chunk_extensions_too_large,
    trailers_too_large,

    // Interim responses and upgrades.
    too_many_interim_responses,
    unasked_upgrade,

    // The stream ended too early.
    closed_before_message,
    truncated_head,
    truncated_body,
};

// One line for people, without a final period.
std::string_view describe(ParseError error);

}  // namespace weft::http
