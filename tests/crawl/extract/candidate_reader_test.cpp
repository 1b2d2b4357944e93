#include "crawl/extract/candidate_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "archive/warc/record_packer.h"
#include "crawl/extract/warc_bytes.h"

namespace weft::crawl {
namespace {

using archive::Packing;

std::string packed(Packing packing, std::string_view record) {
    std::string out;
    archive::RecordPacker packer({.packing = packing});
    const std::string_view pieces[] = {record};
    packer.append(pieces, out);
    return out;
}

struct Reading {
    std::string urls;  // Each followed by a space.
    std::vector<std::string> damages;
};

Reading read(std::vector<PageInput> inputs) {
    CandidateReader reader(std::move(inputs),
                           [](const std::string& url) { return !url.contains("unwanted"); });
    Reading reading;
    while (const auto record = reader.next()) reading.urls += record->header.target_uri() + " ";
    reading.damages = reader.take_damages();
    return reading;
}

Reading read(const std::string& bytes) {
    return read(std::vector{memory_input(bytes)});
}

class CandidateReaderOfPacking : public testing::TestWithParam<Packing> {
protected:
    std::string page(std::string_view uri, std::string_view more = "") const {
        return packed(GetParam(), html_response(uri, "<p>" + std::string(500, 'a'), "", more));
    }
};
INSTANTIATE_TEST_SUITE_P(Packings, CandidateReaderOfPacking,
                         testing::Values(Packing::none, Packing::gzip, Packing::zstd));

TEST_P(CandidateReaderOfPacking, ReadsFileAfterFile) {
    const Reading reading =
        read({memory_input(page("http://a/") + page("http://unwanted/") + page("http://b/")),
              memory_input(""), memory_input(page("http://c/"))});

    EXPECT_EQ(reading.urls, "http://a/ http://b/ http://c/ ");
    EXPECT_TRUE(reading.damages.empty());
}

TEST_P(CandidateReaderOfPacking, GoesOnAfterDamage) {
    std::string bytes = page("http://a/");
    const std::size_t begin = bytes.size();
    bytes += page("http://b/");
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), 60, 'x');
    bytes += page("http://c/") + page("http://d/");

    const Reading reading = read(bytes);

    EXPECT_EQ(reading.urls, "http://a/ http://c/ http://d/ ");
    ASSERT_EQ(reading.damages.size(), 1U);
    EXPECT_TRUE(reading.damages[0].starts_with("a.warc: damaged from byte ")) << reading.damages[0];
}

TEST_P(CandidateReaderOfPacking, ACutRecordIsReportedAndSkipped) {
    const std::string second = page("http://b/");
    const Reading reading = read(page("http://a/") + second.substr(0, second.size() - 30));

    EXPECT_EQ(reading.urls, "http://a/ ");
    ASSERT_EQ(reading.damages.size(), 1U);
    EXPECT_TRUE(reading.damages[0].contains("is cut off")) << reading.damages[0];
}

TEST(CandidateReader, ARecordInsideADamagedPageIsNone) {
    const std::string_view info = "WARC-Warcinfo-ID: <urn:uuid:1>\r\n";
    const std::string evil = html_response("http://evil/", "<p>evil");
    std::string damaged = html_response("http://b/", "<pre>" + evil + "</pre>", "", info);
    const std::size_t length = damaged.find("Content-Length: ");
    damaged.replace(length, 17, "Content-Length: x");

    const Reading reading = read(html_response("http://a/", "<p>", "", info) + damaged +
                                 html_response("http://c/", "<p>", "", info));

    EXPECT_EQ(reading.urls, "http://a/ http://c/ ");
    EXPECT_EQ(reading.damages.size(), 1U);
}

TEST(CandidateReader, TriesAfterDamageHaveABound) {
    const auto file = [](std::size_t count) {
        std::string bytes = html_response("http://a/", "<p>") + "damage\r\n";
        for (std::size_t i = 0; i < count; ++i) bytes += "WARC/1.x\r\n\r\n";
        return bytes + html_response("http://b/", "<p>");
    };
    EXPECT_EQ(read(file(kRecordTriesMax - 1)).urls, "http://a/ http://b/ ");

    const Reading reading = read(file(kRecordTriesMax));
    EXPECT_EQ(reading.urls, "http://a/ ");
    EXPECT_TRUE(reading.damages.at(0).contains("not read further")) << reading.damages.at(0);
}

TEST(CandidateReader, ABlockHasABound) {
    const auto block_of = [](std::size_t size) {
        const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        CandidateReader reader(
            {memory_input(warc_response("http://a/", head + std::string(size - head.size(), 'a')))},
            [](const std::string&) { return true; });
        return reader.next().value();
    };
    const PageCandidate whole = block_of(kPageBlockBytesMax);
    EXPECT_EQ(whole.block.size(), kPageBlockBytesMax);
    EXPECT_FALSE(whole.is_cut);

    const PageCandidate cut = block_of(kPageBlockBytesMax + 1);
    EXPECT_EQ(cut.block.size(), kPageBlockBytesMax);
    EXPECT_TRUE(cut.is_cut);
}

TEST(CandidateReader, NoFileIsTakenForOne) {
    EXPECT_EQ(read("").damages.size(), 0U);
    EXPECT_EQ(read("<html>").damages.size(), 1U);
    EXPECT_EQ(read(std::string(100'000, '\0')).damages.size(), 1U);
}

}  // namespace
}  // namespace weft::crawl
