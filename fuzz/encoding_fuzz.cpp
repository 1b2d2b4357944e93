#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "web/charset/decode_text.h"
#include "web/charset/encode_text.h"
#include "web/charset/page_decoder.h"
#include "web/charset/sniff_encoding.h"
#include "web/charset/utf8.h"  // tidy: allow layer: fuzzed itself

// Any bytes as text of any encoding: the text is valid UTF-8 of bounded length and does not depend
// on how the bytes are cut; what encoders write can be read; a final guess of the encoding stays.
namespace weft::web {

namespace {

bool is_utf8(std::string_view text) {
    const std::size_t valid = detail::valid_utf8_prefix(text);
    WEFT_ASSERT(valid == detail::valid_utf8_prefix_portable(text));
    return valid == text.size();
}

// Cuts `bytes` where `seed` says.
template <class Feed>
void for_each_piece(std::string_view bytes, std::uint32_t seed, Feed feed) {
    while (!bytes.empty()) {
        seed = seed * 1664525 + 1013904223;
        const std::size_t size =
            std::min<std::size_t>(bytes.size(), (seed >> 24) % 70 * (seed >> 31));
        feed(bytes.substr(0, size + 1));
        bytes.remove_prefix(std::min(bytes.size(), size + 1));
    }
}

void check_decoding(Encoding encoding, std::string_view bytes, std::uint32_t seed) {
    const std::string whole = decode_text(encoding, bytes);
    WEFT_ASSERT(is_utf8(whole));
    WEFT_ASSERT(whole.size() <= 3 * bytes.size() + 9);

    TextDecoder decoder(encoding);
    std::string text;
    for_each_piece(bytes, seed, [&](std::string_view piece) {
        const std::size_t before = text.size();
        decoder.feed(piece, text);
        WEFT_ASSERT(is_utf8(std::string_view(text).substr(before)));
    });
    decoder.finish(text);
    WEFT_ASSERT(text == whole);

    text.clear();
    std::string scratch;
    for_each_piece(bytes, ~seed,
                   [&](std::string_view piece) { text += decoder.feed_view(piece, scratch); });
    decoder.finish(text);
    WEFT_ASSERT(text == whole);
}

void check_strict_decoding(Encoding encoding, std::string_view bytes) {
    StrictTextDecoder decoder(encoding);
    std::string text;
    const bool is_fed = decoder.feed(bytes, text).has_value();
    const bool is_done = decoder.finish(text).has_value();
    const std::string lenient = decode_text(encoding, bytes);
    if (is_fed && is_done) {
        WEFT_ASSERT(text == lenient);
    } else {
        WEFT_ASSERT(lenient.contains("\xEF\xBF\xBD"));
        WEFT_ASSERT(std::string_view(lenient).starts_with(text));
    }
}

void check_encoding(Encoding encoding, std::string_view text) {
    const std::string bytes = encode_text(encoding, text);
    StrictTextDecoder decoder(output_encoding(encoding));
    std::string back;
    WEFT_ASSERT(decoder.feed(bytes, back));
    WEFT_ASSERT(decoder.finish(back));
}

void check_sniffing(std::string_view bytes, std::uint32_t seed) {
    const std::string_view header = bytes.substr(0, seed % 32);
    const Encoding expected = sniff_encoding(bytes, header);
    std::size_t size = 0;
    for_each_piece(bytes, seed, [&](std::string_view piece) {
        size += piece.size();
        const EncodingGuess guess = guess_encoding(bytes.substr(0, size), header);
        WEFT_ASSERT(!guess.is_final || guess.encoding == expected);
    });

    PageDecoder decoder(header);
    std::string text;
    for_each_piece(bytes, seed, [&](std::string_view piece) { text += decoder.feed(piece); });
    text += decoder.finish();
    WEFT_ASSERT(text == decode_text(expected, bytes));
}

}  // namespace

}  // namespace weft::web

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft::web;
    if (size < 3) return 0;
    const auto encoding = static_cast<Encoding>(data[0] % kEncodingCount);
    const std::uint32_t seed = data[1] | static_cast<std::uint32_t>(data[2]) << 8;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 3, size - 3);
    check_decoding(encoding, bytes, seed);
    check_strict_decoding(encoding, bytes);
    check_encoding(encoding, bytes);
    check_encoding(encoding, decode_text(encoding, bytes));
    check_sniffing(bytes, seed);
    return 0;
}
