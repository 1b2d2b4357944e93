#include "web/charset/utf8.h"

#include <bit>
#include <cstring>

namespace weft::web::detail {

namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load(const char* p) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

std::size_t first_high_bit(std::uint64_t word) {
    if constexpr (std::endian::native == std::endian::little) {
        return static_cast<std::size_t>(std::countr_zero(word & kHighBits)) / 8;
    } else {
        return static_cast<std::size_t>(std::countl_zero(word & kHighBits)) / 8;
    }
}

}  // namespace

std::size_t ascii_prefix(std::string_view bytes) {
    const char* const begin = bytes.data();
    const char* const end = begin + bytes.size();
    const char* p = begin;
    // Compilers turn these eight words into two or four vector loads.
    for (; end - p >= 64; p += 64) {
        std::uint64_t any = 0;
        for (int i = 0; i < 64; i += 8) any |= load(p + i);
        if (any & kHighBits) break;
    }
    for (; end - p >= 8; p += 8) {
        const std::uint64_t word = load(p);
        if (word & kHighBits) return static_cast<std::size_t>(p - begin) + first_high_bit(word);
    }
    while (p < end && static_cast<unsigned char>(*p) < 0x80) ++p;
    return static_cast<std::size_t>(p - begin);
}

Utf8Sequence utf8_sequence(std::string_view bytes) {
    using enum Utf8Sequence::Kind;
    const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
    const auto byte = [&](std::size_t i) -> unsigned { return p[i]; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {valid, 1};
    if (lead < 0xC2 || lead > 0xF4) return {malformed, 1};
    if (bytes.size() < 2) return {incomplete, 1};

    // The second byte decides about overlong forms (E0, F0), surrogates (ED) and code points above
    // U+10FFFF (F4): Encoding standard, "UTF-8 decoder".
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return {malformed, 1};
    const std::uint8_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    for (std::uint8_t i = 2; i < length; ++i) {
        if (i == bytes.size()) return {incomplete, i};
        if ((byte(i) & 0xC0) != 0x80) return {malformed, i};
    }
    return {valid, length};
}

std::size_t valid_utf8_prefix_portable(std::string_view bytes) {
    std::size_t i = 0;
    while (true) {
        i += ascii_prefix(bytes.substr(i));
        do {
            if (i == bytes.size()) return i;
            const Utf8Sequence sequence = utf8_sequence(bytes.substr(i));
            if (sequence.kind != Utf8Sequence::Kind::valid) return i;
            i += sequence.length;
        } while (i < bytes.size() && static_cast<unsigned char>(bytes[i]) >= 0x80);
    }
}

#if !defined(__x86_64__)
std::size_t valid_utf8_prefix(std::string_view bytes) {
    return valid_utf8_prefix_portable(bytes);
}
#endif

}  // namespace weft::web::detail
