#include <map>
#include <string>

#include "suites/conformance.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::web {
namespace {

using nlohmann::json;
using Bag = std::map<std::string, int>;

std::string row_text(const json& row) {
    const bool is_same = row[2].is_number();
    const std::string flags = row[5].is_number() ? "" : row[5].get<std::string>();
    return row[0].get<std::string>() + " " + row[1].get<std::string>() + " " +
           std::to_string(row[4].get<std::uint64_t>()) + " " + flags + " " +
           (is_same ? row[3] : row[2]).get<std::string>() + " -> " +
           (row[3].is_null() ? "nowhere" : row[3].get<std::string>());
}

// What the page's links are resolved against: its first <base href> if that is a URL.
Url base_of(const HtmlPage& page, const Url& document) {
    if (!page.base_href) return document;
    return document.resolve(*page.base_href).value_or(document);
}

std::string link_text(const HtmlLink& link, const Url& base) {
    const auto url = base.resolve(link.value);
    const std::string flags =
        std::string(link.is_in_template ? "t" : "") + (link.is_in_noscript ? "n" : "");
    return std::string(link.element) + " " + std::string(link.attribute) + " " +
           std::to_string(link.offset) + " " + flags + " " + std::string(link.value) + " -> " +
           (url ? url->href() : "nowhere");
}

HtmlPage read_cut(std::string_view html, std::size_t piece_bytes) {
    HtmlReader reader;
    for (std::size_t i = 0; i < html.size(); i += piece_bytes) {
        reader.feed(html.substr(i, piece_bytes));
    }
    return reader.finish();
}

TEST(PagesSuite, LinksOfRealPagesAreThoseOfABrowser) {
    WEFT_NEEDS_SUITE("pages");
    int expected_count = 0;
    int missed_count = 0;
    int invented_count = 0;
    suites::Tally tally("pages");
    const auto folder = suites::conformance_dir() / "pages";
    for (const auto& entry : std::filesystem::directory_iterator(folder / "links")) {
        const json page = suites::read_json(entry.path());
        Bag rows;
        for (const json& row : page["links"]) ++rows[row_text(row)];
        expected_count += static_cast<int>(page["links"].size());
        Bag dropped;
        for (const json& row : page["dropped"]) ++dropped[row_text(row)];
        const std::string html = suites::read_gzip(folder / page["file"].get<std::string>());

        const HtmlPage read = read_cut(html, 16384);
        const Url base = base_of(read, Url::parse(page["document_url"].get<std::string>()).value());
        EXPECT_EQ(base.href(), page["base_url"].get<std::string>()) << entry.path().filename();
        for (const HtmlLink& link : read.links) --rows[link_text(link, base)];

        for (const auto& [text, count] : rows) {
            if (count > 0) missed_count += count;
            if (count < 0 && !dropped.contains(text)) invented_count -= count;
            EXPECT_TRUE(count == 0 || (count < 0 && dropped.contains(text)))
                << entry.path().filename() << (count > 0 ? " missed " : " invented ") << text;
        }
        tally.note();
    }
    RecordProperty("expected", expected_count);
    RecordProperty("missed", missed_count);
    RecordProperty("invented", invented_count);
}

}  // namespace
}  // namespace weft::web
