#pragma once

#include <array>
#include <expected>
#include <string_view>

#include "http/message/headers.h"
#include "http/message/oddity.h"
#include "http/message/parse_error.h"

namespace weft::http {

// The table behind is_token_byte().
inline constexpr std::array<bool, 256> kIsTokenByte = [] {
    std::array<bool, 256> table{};
    for (unsigned char c = '0'; c <= '9'; ++c) table[c] = true;
    for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = table[c - 32U] = true;
    for (char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
    return table;
}();

// Whether a token may contain this byte (tchar of RFC 9110, 5.6.2). Methods and field names are
// tokens.
inline bool is_token_byte(char c) {
    return kIsTokenByte[static_cast<unsigned char>(c)];
}

// How strictly a head is read. Responses of real servers need tolerance; requests to our own server
// do not.
enum class Rules { tolerant, strict };

// Reads one header line, without its line end, into `headers`. A line that starts with white space
// continues the field before it (tolerant only; noted in `oddities`). REQUIRES: !line.empty()
//
// By the tolerant rules a name is one or more bytes that are not controls, spaces or colons. Bytes
// above 0x7F and stray punctuation are kept as they are, because they cannot change the framing.
// By the strict rules a name is a token.
std::expected<void, ParseError> read_field(std::string_view line, Rules rules, Headers& headers,
                                           Oddities& oddities);

}  // namespace weft::http
