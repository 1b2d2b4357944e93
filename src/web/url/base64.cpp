#include "web/url/base64.h"

#include <cstdint>

#include "base/bytes.h"

namespace weft::web {
namespace {

int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (is_digit(c)) return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
    std::string out;
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t pending = 0;
    std::size_t digit_count = 0, padding_count = 0;
    for (char c : text) {
        if (is_space(c)) continue;
        if (c == '=') {
            ++padding_count;
            continue;
        }
        const int value = value_of(c);
        if (value < 0 || padding_count > 0) return std::nullopt;
        pending = pending << 6 | static_cast<std::uint32_t>(value);
        if (++digit_count % 4 == 0) {
            out += static_cast<char>(pending >> 16);
            out += static_cast<char>(pending >> 8);
            out += static_cast<char>(pending);
        }
    }
    // Padding may be missing, but if there is any, it must fill the last group of four.
    if (padding_count > 2) return std::nullopt;
    if (padding_count > 0 && (digit_count + padding_count) % 4 != 0) return std::nullopt;
    // One digit alone has only six bits, too few for a byte. The spare bits of two or three digits
    // are dropped, even if they are not zero.
    switch (digit_count % 4) {
        case 1: return std::nullopt;
        case 2: out += static_cast<char>(pending >> 4); break;
        case 3:
            out += static_cast<char>(pending >> 10);
            out += static_cast<char>(pending >> 2);
            break;
        default: break;
    }
    return out;
}

}  // namespace weft::web
