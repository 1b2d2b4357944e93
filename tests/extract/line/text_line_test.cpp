#include "extract/line/text_line.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include <gtest/gtest.h>

namespace weft::extract {
namespace {

using Json = nlohmann::ordered_json;

const WallTime kDate{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 1ms};

std::string line_of(const Extract& page, TextForm form = TextForm::plain) {
    std::string line;
    append_text_line({.url = "https://a.example/", .date = kDate, .form = form, .page = page},
                     line);
    return line;
}

TEST(TextLine, LeavesOutWhatIsEmpty) {
    EXPECT_EQ(line_of({}),
              R"({"url":"https://a.example/","ts":"2026-03-01T00:00:00.001Z","kind":"article"})"
              "\n");
}

TEST(TextLine, HasAllMembersInOrder) {
    Extract page;
    page.fields = {.title = "t",
                   .byline = "b",
                   .published = "2026-01-01",
                   .modified = "2026-01-02",
                   .lang = "en-GB",
                   .site = "s",
                   .description = "d",
                   .canonical = "https://a.example/c"};
    page.kind = PageKind::list;
    page.text = "x \"y\"\n";
    page.word_count = 2;
    page.lang_detected = "en";
    page.jsonld_types = {"A", "B"};
    page.og = {{"type", "article"}, {"a\"b", "c"}};
    page.links = {{.url = "u", .text = "v", .rel = "r", .is_main = true}, {.url = "w"}};
    page.selected = {{.name = "one", .values = {"1", "2"}},
                     {.name = "none"},
                     {.name = "all", .values = {"1", "2"}, .is_list = true}};
    page.simhash = 0xAB;
    page.structured = R"({"jsonld":[1]})";
    page.reservation = {.reserved = {{ReservedPlace::header, "tdm-reservation", "1"},
                                     {ReservedPlace::meta, "robots", "noai \"x\""}},
                        .withheld = "noai"};
    page.cut = {.page = true, .text = true, .links = true};
    page.needs_script = true;
    std::string line = "before\n";
    append_text_line({.url = "https://a.example/",
                      .date = kDate,
                      .form = TextForm::markdown,
                      .page = page,
                      .near_duplicate_of = "https://a.example/n"},
                     line);

    EXPECT_EQ(Json::parse(line.substr(7)), Json::parse(R"({
        "url": "https://a.example/", "ts": "2026-03-01T00:00:00.001Z", "title": "t", "byline": "b",
        "published": "2026-01-01", "modified": "2026-01-02", "lang": "en-GB",
        "lang_detected": "en", "site": "s", "description": "d",
        "canonical": "https://a.example/c", "kind": "list", "words": 2,
        "markdown": "x \"y\"\n",
        "links": [{"url": "u", "text": "v", "rel": "r", "main": true}, {"url": "w"}],
        "og": {"type": "article", "a\"b": "c"}, "jsonld_types": ["A", "B"],
        "structured": {"jsonld": [1]},
        "selected": {"one": "1", "all": ["1", "2"]}, "simhash": "00000000000000ab",
        "near_duplicate_of": "https://a.example/n",
        "reserved": [{"from": "header", "name": "tdm-reservation", "value": "1"},
                     {"from": "meta", "name": "robots", "value": "noai \"x\""}],
        "withheld": "noai",
        "cut": ["page", "text", "links"],
        "empty": "needs-script"})"));
    EXPECT_EQ(line.find('\n', 7), line.size() - 1);
}

TEST(TextLine, NamesTheTextByItsForm) {
    Extract page;
    page.text = "x";
    EXPECT_EQ(Json::parse(line_of(page)).value("text", ""), "x");
    EXPECT_EQ(Json::parse(line_of(page, TextForm::markdown)).value("markdown", ""), "x");
}

TEST(TextLine, SaysWhatIsReservedAndWhyTextIsWithheld) {
    Extract page;
    page.reservation = {.reserved = {{ReservedPlace::meta, "robots", "noai"},
                                     {ReservedPlace::header, "tdm-reservation", "1"}},
                        .withheld = "noai"};
    EXPECT_TRUE(line_of(page).contains(
        R"("reserved":[{"from":"meta","name":"robots","value":"noai"},)"
        R"({"from":"header","name":"tdm-reservation","value":"1"}],"withheld":"noai"})"))
        << line_of(page);
}

TEST(TextLine, ALineEndTakesTwoBytes) {
    Extract page;
    page.text = "a\n\nb\n";
    EXPECT_TRUE(line_of(page).contains(R"("text":"a\n\nb\n")")) << line_of(page);
}

TEST(TextLine, IsOneLineOfValidJsonWhateverThePageHas) {
    Extractor extractor({.text = TextForm::markdown, .lists_links = true, .takes_simhash = true});
    for (const std::string html :
         {"<title>\x01\xFF\"\\</title><pre>a\nb\0c", "<a href='\n\xE2\x80\xA8'>\r\n",
          "<meta property='og:\n\"' content='\\'>", "<script></script>"}) {
        const std::string line =
            line_of(extractor.read({.html = html, .url = "https://a.example/"}));
        EXPECT_TRUE(Json::accept(line)) << line;
        EXPECT_EQ(line.find('\n'), line.size() - 1);
    }
}

}  // namespace
}  // namespace weft::extract
