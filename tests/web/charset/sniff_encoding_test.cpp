#include "web/charset/sniff_encoding.h"

#include <gtest/gtest.h>

namespace weft::web {

namespace {

constexpr std::string_view kHeader = "text/html; charset=windows-1251";
constexpr std::string_view kMeta = "<meta charset=euc-jp>";

EncodingSource source_of(std::string_view bytes, std::string_view header = "") {
    return guess_encoding(bytes, header).source;
}

}  // namespace

TEST(SniffEncoding, H45ByteOrderMarkBeatsHeaderBeatsMeta) {
    const std::string marked = "\xEF\xBB\xBF" + std::string(kMeta);

    EXPECT_EQ(sniff_encoding(marked, kHeader), Encoding::utf_8);
    EXPECT_EQ(sniff_encoding(kMeta, kHeader), Encoding::windows_1251);
    EXPECT_EQ(sniff_encoding(kMeta, "text/html"), Encoding::euc_jp);
    EXPECT_EQ(sniff_encoding("<p>", ""), Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding("\xFF\xFE<", kHeader), Encoding::utf_16le);
    EXPECT_EQ(sniff_encoding("\xFE\xFF", kHeader), Encoding::utf_16be);
}

TEST(SniffEncoding, H45UnknownLabelsAreAsIfNotThere) {
    for (const std::string_view label :
         {"utf-7", "UTF-7", "x-utf-7", "cesu-8", "utf-32", "binary"}) {
        const std::string header = "text/html; charset=" + std::string(label);
        const std::string meta = "<meta charset=" + std::string(label) + ">";
        EXPECT_EQ(sniff_encoding(kMeta, header), Encoding::euc_jp) << label;
        EXPECT_EQ(sniff_encoding(meta, kHeader), Encoding::windows_1251) << label;
        EXPECT_EQ(sniff_encoding(meta + std::string(kMeta), ""), Encoding::euc_jp) << label;
        EXPECT_EQ(sniff_encoding(meta, header), Encoding::windows_1252) << label;
    }
}

// The bytes that once made Internet Explorer read a page as UTF-7.
TEST(SniffEncoding, H45Utf7MarksAreText) {
    EXPECT_EQ(sniff_encoding("+/v8-+ADw-script+AD4-", ""), Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding("+/v8-", "text/html; charset=utf-7"), Encoding::windows_1252);
}

TEST(SniffEncoding, H45AMegabyteOfCharsetIsNone) {
    const std::string label(1 << 20, 'u');

    EXPECT_EQ(sniff_encoding(kMeta, "text/html; charset=" + label), Encoding::euc_jp);
    EXPECT_EQ(sniff_encoding(kMeta, "text/html; charset=\"" + label), Encoding::euc_jp);
    EXPECT_EQ(sniff_encoding("<meta charset=" + label + ">", ""), Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding("<meta http-equiv=content-type content='charset=" + label + "'>", ""),
              Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding("<?xml encoding='" + label + "'?>", ""), Encoding::windows_1252);
}

TEST(SniffEncoding, H45Utf16WithoutAMarkIsFoundByItsXmlDeclarationOnly) {
    const std::string page("<\0!\0D\0O\0", 8);
    const std::string xml("<\0?\0x\0m\0l\0", 10);

    EXPECT_EQ(sniff_encoding(page, ""), Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding(page, "text/html; charset=utf-16"), Encoding::utf_16le);
    EXPECT_EQ(sniff_encoding(xml, ""), Encoding::utf_16le);
}

TEST(SniffEncoding, MetaThatCallsItselfUtf16IsUtf8) {
    EXPECT_EQ(sniff_encoding("<meta charset=utf-16>", ""), Encoding::utf_8);
    EXPECT_EQ(sniff_encoding("<meta charset=x-user-defined>", ""), Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding("<?xml encoding='utf-16be'?>", ""), Encoding::utf_8);
}

TEST(SniffEncoding, ContentNeedsItsPragma) {
    const std::string content = "content='text/html; charset=koi8-r'";
    EXPECT_EQ(sniff_encoding("<meta " + content + ">", ""), Encoding::windows_1252);
    EXPECT_EQ(sniff_encoding("<meta " + content + " http-equiv=CONTENT-TYPE>", ""),
              Encoding::koi8_r);
    EXPECT_EQ(sniff_encoding("<meta charset=bogus " + content + " http-equiv=content-type>", ""),
              Encoding::windows_1252);
    EXPECT_EQ(
        sniff_encoding("<meta http-equiv=content-type content='charset charset = koi8-r;x'>", ""),
        Encoding::koi8_r);
    EXPECT_EQ(sniff_encoding("<meta charset=koi8-r charset=utf-8>", ""), Encoding::koi8_r);
}

TEST(SniffEncoding, MetaInACommentIsNone) {
    EXPECT_EQ(source_of("<!-- <meta charset=koi8-r> -->"), EncodingSource::fallback);
    EXPECT_EQ(source_of("<!--><meta charset=koi8-r>"), EncodingSource::meta);
    EXPECT_EQ(source_of("<!DOCTYPE html \"<meta charset=koi8-r>"), EncodingSource::fallback);
}

TEST(SniffEncoding, LateMetaCountsInTheHeadOnly) {
    const std::string pad(2000, ' ');
    const std::string meta(kMeta);

    EXPECT_EQ(source_of("<head>" + pad + meta), EncodingSource::late_meta);
    EXPECT_EQ(source_of("<title>" + pad + "<body></title>" + meta), EncodingSource::late_meta);
    EXPECT_EQ(source_of("<script>" + pad + meta + "</script>"), EncodingSource::fallback);
    EXPECT_EQ(source_of("<head>" + pad + "</head>" + meta), EncodingSource::fallback);
    EXPECT_EQ(source_of("<body>" + pad + meta), EncodingSource::fallback);
    EXPECT_EQ(source_of("<template>" + pad + meta + "</template>"), EncodingSource::fallback);
    EXPECT_EQ(source_of("<template>" + pad + "</template>" + meta), EncodingSource::late_meta);
    EXPECT_EQ(source_of("<?xml encoding='koi8-r'?>" + pad), EncodingSource::xml_declaration);
    EXPECT_EQ(source_of("<?xml encoding='koi8-r'?>" + pad + meta), EncodingSource::late_meta);
}

TEST(SniffEncoding, BytesPastTheLimitAreNotLookedAt) {
    const std::string pad(limits::kSniffBytesMax - kMeta.size(), ' ');

    EXPECT_EQ(source_of(pad + std::string(kMeta)), EncodingSource::late_meta);
    EXPECT_EQ(source_of(pad + " " + std::string(kMeta)), EncodingSource::fallback);
    EXPECT_TRUE(guess_encoding(pad + " " + std::string(kMeta), "").is_final);
}

TEST(SniffEncoding, GuessIsFinalAsSoonAsItCanBe) {
    EXPECT_FALSE(guess_encoding("", kHeader).is_final);
    EXPECT_FALSE(guess_encoding("\xEF\xBB", kHeader).is_final);
    EXPECT_TRUE(guess_encoding("<", kHeader).is_final);
    EXPECT_FALSE(guess_encoding("<meta charset=utf-8", "").is_final);
    EXPECT_TRUE(guess_encoding("<meta charset=utf-8>", "").is_final);
    EXPECT_FALSE(guess_encoding("<html><body>" + std::string(900, 'x'), "").is_final);
    EXPECT_TRUE(guess_encoding("<html><body>" + std::string(1024, 'x'), "").is_final);
    EXPECT_FALSE(guess_encoding("<html><head>" + std::string(1024, ' '), "").is_final);
}

TEST(SniffEncoding, AMetaCutOffAnywhereIsWaitedFor) {
    const std::string page = "<html><body><p>" + std::string(1000, 'x') + "<META charset=koi8-r>";

    for (std::size_t size = 0; size < page.size(); ++size) {
        EXPECT_FALSE(guess_encoding(page.substr(0, size), "").is_final) << size;
    }
    EXPECT_EQ(source_of(page), EncodingSource::meta);
    EXPECT_TRUE(guess_encoding("<html><body><main>" + std::string(1024, 'x'), "").is_final);
}

}  // namespace weft::web
