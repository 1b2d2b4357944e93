#include "crawl/extract/archive_extraction.h"

#include <string>

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "aio/loop/run.h"
#include "base/error.h"
#include "crawl/extract/replaced_file.h"
#include "crawl/extract/text_output.h"
#include "crawl/extract/warc_bytes.h"
#include "crawl/extract/wet_output.h"

namespace weft::crawl {
namespace {

class StringSink final : public ByteSink {
public:
    explicit StringSink(std::string& out) : out_(out) {}
    void write(std::string_view bytes) override { out_ += bytes; }
    void finish() override { out_ += "end\n"; }

private:
    std::string& out_;
};

// One line for each page: its URL.
class UrlOutput final : public StreamOutput {
public:
    using StreamOutput::StreamOutput;
    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker&,
              std::string& out) const override {
        if (extract.text.contains("refused")) throw Error("cannot be made");
        out += page.url + "\n";
    }
};

struct Result {
    std::string out;
    std::vector<std::string> told;
    ExtractionNumbers numbers;
};

Result extract_urls(std::vector<PageInput> inputs, ExtractionOptions options) {
    Result result;
    UrlOutput output(std::make_unique<StringSink>(result.out));
    ArchiveExtraction extraction(std::move(inputs), std::move(options), output,
                                 [&](const std::string& what) { result.told.push_back(what); });
    aio::run(extraction.run());
    result.numbers = extraction.numbers();
    return result;
}

std::string words(int seed) {
    std::string text = "<p>";
    for (int i = 0; i < 60; ++i) text += fmt::format("word{} ", (i + 1) * (seed + 7919));
    return text;
}

TEST(ArchiveExtraction, KeepsTheOrderOfTheArchiveOnAnyNumberOfThreads) {
    std::string warc;
    std::string urls;
    for (int i = 0; i < 500; ++i) {
        const std::string url = fmt::format("http://a.test/{}", i);
        // Pages of very different sizes end at different times.
        warc += html_response(url, "<p>" + std::string(i % 7 == 0 ? 200'000 : 10, 'a'));
        urls += url + "\n";
    }
    for (const unsigned threads : {1U, 2U, 5U}) {
        ExtractionOptions options;
        options.thread_count = threads;
        const Result result = extract_urls({memory_input(warc)}, std::move(options));
        EXPECT_EQ(result.out, urls + "end\n") << threads;
        EXPECT_EQ(result.numbers.page_count, 500U);
        EXPECT_EQ(result.numbers.bytes, result.numbers.bytes_total);
    }
}

TEST(ArchiveExtraction, PatternsSayWhichPages) {
    ExtractionOptions options;
    options.include = {web::Pattern::parse("/a").value(), web::Pattern::parse("/b").value()};
    options.exclude = {web::Pattern::parse("2$").value()};
    const std::string warc =
        html_response("http://x/a1", "<p>") + html_response("http://x/a2", "<p>") +
        html_response("http://x/b1", "<p>") + html_response("http://x/c1", "<p>");

    EXPECT_EQ(extract_urls({memory_input(warc)}, std::move(options)).out,
              "http://x/a1\nhttp://x/b1\nend\n");
}

TEST(ArchiveExtraction, CopiesAreLeftOut) {
    ExtractionOptions options;
    options.is_unique = true;
    options.wishes.takes_simhash = true;
    const std::string warc = html_response("http://x/1", words(1)) +
                             html_response("http://x/2", words(1)) +
                             html_response("http://x/3", words(2)) +
                             html_response("http://x/4", "<nav>menu</nav>" + words(1)) +
                             html_response("http://x/5", "") + html_response("http://x/6", "");

    const Result result = extract_urls({memory_input(warc)}, std::move(options));

    EXPECT_EQ(result.out, "http://x/1\nhttp://x/3\nhttp://x/5\nhttp://x/6\nend\n");
    EXPECT_EQ(result.numbers.copy_count, 2U);
}

TEST(ArchiveExtraction, DamageIsToldAndTheRestGoesOn) {
    const std::string warc = html_response("http://x/1", "<p>refused") +
                             html_response("http://x/2", "\x01", "Content-Encoding: br\r\n") +
                             html_response("http://x/3", "<p>");

    const Result result = extract_urls({memory_input(warc + "damage")}, {});

    EXPECT_EQ(result.out, "http://x/3\nend\n");
    ASSERT_EQ(result.told.size(), 3U);
    EXPECT_EQ(result.numbers.damage_count, 3U);
}

TEST(ArchiveExtraction, APartOfAPageIsMarkedInItsLine) {
    std::string out;
    TextLines output(std::make_unique<StringSink>(out), extract::TextForm::plain);
    ArchiveExtraction extraction(
        {memory_input(html_response("http://x/", "<p>a", "", "WARC-Truncated: time\r\n"))}, {},
        output, [](const std::string&) {});
    aio::run(extraction.run());

    EXPECT_TRUE(out.contains("\"cut\":[\"page\"]")) << out;
}

TEST(UniquePages, NearlyTheSameTextIsACopy) {
    UniquePages pages;
    EXPECT_TRUE(pages.add(1, 0xFF00, 100));
    EXPECT_FALSE(pages.add(1, 0xFF00, 100)) << "the same";
    EXPECT_FALSE(pages.add(2, 0xFF07, 100)) << "three bits differ";
    EXPECT_TRUE(pages.add(3, 0xFF0F, 100)) << "four bits differ";
    EXPECT_TRUE(pages.add(4, 0xFF00, UniquePages::kNearWordsMin - 1)) << "too few words to compare";
    EXPECT_TRUE(pages.add(0, 0, 0) && pages.add(0, 0, 0)) << "no text is no copy";
}

TEST(ReplacedFile, TheOldFileIsWholeUntilTheEnd) {
    aio::MemoryFiles files;
    files.write_all("a", "old");
    {
        ReplacedFile file(files, "a");
        file.write("new");
        EXPECT_EQ(files.read_all("a", 100), "old");
    }
    EXPECT_EQ(files.read_all("a", 100), "old") << "it was not finished";
    EXPECT_FALSE(files.exists("a.tmp"));

    files.write_all("a.tmp", "left behind by a crash");
    ReplacedFile file(files, "a");
    file.write("ne");
    file.write("w");
    file.finish();
    EXPECT_EQ(files.read_all("a", 100), "new");
    EXPECT_FALSE(files.exists("a.tmp"));
}

TEST(TextTable, HasAColumnForEachFact) {
    std::string out;
    extract::Rules rules;
    rules.selected.push_back(extract::parse_typed_field("h=h1").value());
    TextTable output(std::make_unique<StringSink>(out), extract::TextForm::plain, &rules);
    ExtractionOptions options;
    options.wishes.rules = std::make_shared<const extract::Rules>(rules);
    ArchiveExtraction extraction(
        {memory_input(html_response("http://x/", "<title>T</title><h1>=H</h1><p>a,b"))},
        std::move(options), output, [](const std::string&) {});
    aio::run(extraction.run());

    EXPECT_EQ(out,
              "url,ts,title,byline,published,modified,lang,lang_detected,site,description,"
              "canonical,kind,words,text,h\r\n"
              "http://x/,2026-03-01T10:20:30.000Z,T,,,,,,,,,list,2,\"'=H\n\na,b\n\",'=H\r\nend\n");
}

}  // namespace
}  // namespace weft::crawl
