#include "base/bytes.h"

#include <algorithm>
#include <cstdint>

namespace weft {
namespace {

// Splits the bytes into groups of `bits` bits, most significant first, and writes each group as a
// character of `alphabet`. `pending` loses its high bits by overflow; only the low ones are read.
std::string encode_groups(std::string_view bytes, unsigned bits, const char* alphabet) {
    std::string out;
    out.reserve(bytes.size() * 8 / bits + 4);
    std::uint32_t pending = 0;
    unsigned pending_bits = 0;
    for (char byte : bytes) {
        pending = pending << 8 | static_cast<unsigned char>(byte);
        pending_bits += 8;
        while (pending_bits >= bits) {
            pending_bits -= bits;
            out += alphabet[pending >> pending_bits & ((1u << bits) - 1)];
        }
    }
    // RFC 4648 fills the last group with zero bits on the right.
    if (pending_bits > 0) {
        out += alphabet[pending << (bits - pending_bits) & ((1u << bits) - 1)];
    }
    return out;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
    return encode_groups(bytes, 4, "0123456789abcdef");
}

std::string to_base32(std::string_view bytes) {
    std::string out = encode_groups(bytes, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
    while (out.size() % 8 != 0) out += '=';
    return out;
}

std::string to_base64(std::string_view bytes) {
    std::string out =
        encode_groups(bytes, 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    while (out.size() % 4 != 0) out += '=';
    return out;
}

void append_utf8(std::string& out, char32_t point) {
    if (point < 0x80) {
        out += static_cast<char>(point);
        return;
    }
    const auto tail = [&](int shift) {
        out += static_cast<char>(0x80 | ((point >> shift) & 0x3F));
    };
    if (point < 0x800) {
        out += static_cast<char>(0xC0 | (point >> 6));
    } else if (point < 0x10000) {
        out += static_cast<char>(0xE0 | (point >> 12));
        tail(6);
    } else {
        out += static_cast<char>(0xF0 | (point >> 18));
        tail(12);
        tail(6);
    }
    tail(0);
}

std::string to_lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) { return to_lower(c); });
    return out;
}

bool equals_ignore_case(std::string_view a, std::string_view b) {
    // Most pairs differ in length or in the first byte, or are equal byte for byte: the cheap
    // comparisons come first.
    const auto is_same = [](char x, char y) { return x == y || to_lower(x) == to_lower(y); };
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), is_same);
}

bool starts_with_ignore_case(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           equals_ignore_case(text.substr(0, prefix.size()), prefix);
}

std::string_view trim(std::string_view text) {
    const auto is_space = [](char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
    };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace weft
