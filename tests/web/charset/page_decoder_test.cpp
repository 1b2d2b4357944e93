#include "web/charset/page_decoder.h"

#include <gtest/gtest.h>

namespace weft::web {

namespace {

std::string decode_in_pieces(std::string_view bytes, std::string_view header, std::size_t size) {
    PageDecoder decoder(header);
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += size)
        text += decoder.feed(bytes.substr(i, size));
    text += decoder.finish();
    return text;
}

}  // namespace

TEST(PageDecoder, TextDoesNotDependOnThePieces) {
    const std::string shift_jis = "<title>\x93\xFA</title>" + std::string(3000, ' ') +
                                  "<meta charset=shift_jis><body>\x96\x7B\x93";
    const std::string text =
        "<title>日</title>" + std::string(3000, ' ') + "<meta charset=shift_jis><body>本�";
    for (const std::size_t size : {1u, 2u, 3u, 1000u, 10'000u}) {
        EXPECT_EQ(decode_in_pieces(shift_jis, "text/html", size), text) << size;
        EXPECT_EQ(decode_in_pieces("\xEF\xBB\xBF日", "text/html; charset=gbk", size), "日") << size;
        EXPECT_EQ(decode_in_pieces("caf\xE9", "", size), "café") << size;
        EXPECT_EQ(decode_in_pieces("", "", size), "") << size;
    }
}

TEST(PageDecoder, HeaderSettlesTheEncodingAtTheFirstByte) {
    PageDecoder decoder("text/html; charset=utf-8");
    const std::string_view bytes = "<p>日";

    const std::string_view text = decoder.feed(bytes);

    EXPECT_EQ(text.data(), bytes.data());
    EXPECT_EQ(text, bytes);
    EXPECT_EQ(decoder.encoding()->source, EncodingSource::http_header);
    EXPECT_EQ(decoder.finish(), "");
}

TEST(PageDecoder, H45UndeclaredPageIsHeldUpToTheLimitOnly) {
    PageDecoder decoder("");
    std::size_t text_bytes = 0;
    std::size_t fed_bytes = 0;
    while (text_bytes == 0) {
        text_bytes += decoder.feed("<!-- \xE9 -->").size();
        fed_bytes += 10;
    }
    EXPECT_LE(fed_bytes, limits::kSniffBytesMax + 10);
    EXPECT_EQ(decoder.encoding()->encoding, Encoding::windows_1252);
}

}  // namespace weft::web
