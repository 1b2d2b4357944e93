#include <gtest/gtest.h>

#include "suites/conformance.h"
#include "web/url/url.h"

namespace weft::suites {
namespace {

using web::Url;

// "!" for a text that is no URL, as the corpus writes it.
std::string href_or_mark(const std::expected<Url, web::UrlError>& url) {
    return url ? url->href() : "!";
}

TEST(UrlCorpus, RealUrlsSerialiseAsInBrowsers) {
    const auto path = conformance_path("url_corpus/urls.txt");
    WEFT_NEEDS_CONFORMANCE(path);
    const std::vector<std::string> urls = read_lines(path);
    const auto expected = read_lines(conformance_path("url_corpus/urls.expected.txt.gz"));
    ASSERT_EQ(urls.size(), expected.size());

    Tally tally("url_corpus");
    for (std::size_t i = 0; i < urls.size(); ++i) {
        const std::string& href = expected[i] == "=" ? urls[i] : expected[i];
        EXPECT_EQ(href_or_mark(Url::parse(urls[i])), href) << urls[i];
        tally.note();
    }
}

TEST(UrlCorpus, RealReferencesResolveAsInBrowsers) {
    const auto path = conformance_path("url_corpus/relative.tsv.gz");
    WEFT_NEEDS_CONFORMANCE(path);
    Tally tally("url_corpus");
    for (const std::string& line : read_lines(path)) {
        const std::size_t first = line.find('\t');
        const std::size_t last = line.rfind('\t');
        const Url base = Url::parse(line.substr(0, first)).value();
        const std::string reference = line.substr(first + 1, last - first - 1);

        EXPECT_EQ(href_or_mark(base.resolve(reference)), line.substr(last + 1)) << line;
        tally.note();
    }
}

TEST(UrlCorpus, ReferencesOfOtherCrawlersResolve) {
    const auto path = conformance_path("url/crawler_commons_resolve.json");
    WEFT_NEEDS_CONFORMANCE(path);
    for (const auto& row : suites::rows(path)) {
        const auto input = row["input"].get<std::string>();
        const auto url = row["base"].is_null()
                             ? Url::parse(input)
                             : Url::parse(row["base"].get<std::string>()).value().resolve(input);

        EXPECT_EQ(href_or_mark(url), row["expected"].get<std::string>()) << row;
    }
}

}  // namespace
}  // namespace weft::suites
