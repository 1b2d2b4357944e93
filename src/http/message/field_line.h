#pragma once

#include <array>
#include <expected>
#include <string_view>

#include "http/message/headers.h"
#include "http/message/oddity.h"
#include "http/message/parse_error.h"

namespace weft::http {

inline constexpr std::array<bool, 256> kIsTokenByte = [] {
    std::array<bool, 256> table{};
    for (unsigned char c = '0'; c <= '9'; ++c) table[c] = true;
    for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = table[c - 32U] = true;
    for (char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
    return table;
}();

// A byte of RFC 9110's token: what methods and field names are made of.
inline bool is_token_byte(char c) {
    return kIsTokenByte[static_cast<unsigned char>(c)];
}

// How much sloppiness a head may have: answers of real servers need some, requests to ours none.
enum class Rules { tolerant, strict };

// Reads one header line, without its line end, into `headers`. A line that starts with white space
// continues the field before it (tolerant only, noted).
//
// A name is one or more bytes that are neither controls, spaces nor colons: bytes above 0x7F and
// stray punctuation are kept as they are, since they can change no framing.
std::expected<void, ParseError> read_field(std::string_view line, Rules rules, Headers& headers,
                                           Oddities& oddities);

}  // namespace weft::http
