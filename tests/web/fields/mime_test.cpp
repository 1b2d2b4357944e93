#include "web/fields/mime.h"

#include <array>

#include <gtest/gtest.h>

#include "base/limits.h"
#include "web/fields/mime_sniff.h"

namespace weft::web {
namespace {

using namespace std::string_view_literals;

std::string sniff(std::string_view content_type, std::string_view head, bool nosniff = false) {
    const std::array fields = {content_type};
    const std::span<const std::string_view> all = fields;
    return sniff_mime_type({content_type.empty() ? all.first(0) : all, nosniff, head}).serialize();
}

}  // namespace

TEST(Mime, ErrorSaysWhatIsWrong) {
    EXPECT_EQ(describe(MimeType::parse("text").error()), "no slash between type and subtype");
    EXPECT_EQ(MimeType::parse("te xt/html").error(), MimeError::bad_type);
    EXPECT_EQ(MimeType::parse("text/").error(), MimeError::bad_subtype);
}

TEST(Mime, ParametersAreBounded) {
    std::string text = "x/x";
    for (int i = 0; i < 20'000; ++i) text += ";a" + std::to_string(i) + "=b";

    EXPECT_EQ(MimeType::parse(text)->parameters.size(), limits::kMimeParameterCountMax);
}

TEST(MimeSniff, MissingTypeIsGuessed) {
    EXPECT_EQ(sniff("", "\n <!DOCTYPE html><p>"), "text/html");
    EXPECT_EQ(sniff("", "<?xml version='1.0'?>"), "text/xml");
    EXPECT_EQ(sniff("", "%PDF-1.7"), "application/pdf");
    EXPECT_EQ(sniff("", "\x89PNG\r\n\x1A\n..."), "image/png");
    EXPECT_EQ(sniff("", "RIFF\1\2\3\4WEBPVP8 "), "image/webp");
    EXPECT_EQ(sniff("",
                    "\0\0\0\x10"
                    "ftypmp42\0\0\0\0"sv),
              "video/mp4");
    EXPECT_EQ(sniff("", "\x1F\x8B\x08\0"sv), "application/x-gzip");
    EXPECT_EQ(sniff("", "User-agent: *"), "text/plain");
    EXPECT_EQ(sniff("", "\1\2\3"), "application/octet-stream");
    EXPECT_EQ(sniff("*/*", "<html>"), "text/html");
}

TEST(MimeSniff, NamedMarkupIsBelieved) {
    EXPECT_EQ(sniff("text/html;charset=x", "\x89PNG\r\n\x1A\n"), "text/html;charset=x");
    EXPECT_EQ(sniff("image/svg+xml", "\xFF\xD8\xFF"), "image/svg+xml");
}

TEST(MimeSniff, PlainTextOfOldServersMayBeBinary) {
    EXPECT_EQ(sniff("text/plain", "hello"), "text/plain");
    EXPECT_EQ(sniff("text/plain", "\xFF\xD8\xFF\0"sv), "image/jpeg");
    EXPECT_EQ(sniff("text/plain", "<html>\0"sv), "application/octet-stream");
    EXPECT_EQ(sniff("text/plain;charset=x", "\xFF\xD8\xFF\0"sv), "text/plain;charset=x");
}

TEST(MimeSniff, NoSniffKeepsTheLabelAndNeverFindsMarkup) {
    EXPECT_EQ(sniff("image/gif", "\xFF\xD8\xFF", true), "image/gif");
    EXPECT_EQ(sniff("image/gif", "\xFF\xD8\xFF"), "image/jpeg");
    EXPECT_EQ(sniff("", "<html>", true), "text/plain");
    EXPECT_EQ(sniff("", "%PDF-1.7", true), "text/plain");
}

}  // namespace weft::web
