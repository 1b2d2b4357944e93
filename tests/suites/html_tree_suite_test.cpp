#include <string>
#include <string_view>

#include "suites/conformance.h"
#include "web/html/html.h"

namespace weft::web {
namespace {

using nlohmann::json;

bool has_marker(const HtmlPage& page) {
    for (const HtmlLink& link : page.links) {
        if (link.element.ends_with("a") && link.value == "/MARK") return true;
    }
    return false;
}

HtmlPage read_in_pieces(std::string_view html, std::size_t piece_bytes) {
    HtmlReader reader;
    for (std::size_t i = 0; i < html.size(); i += piece_bytes) {
        reader.feed(std::string(html.substr(i, piece_bytes)));
    }
    return reader.finish();
}

std::string links_text(const HtmlPage& page) {
    std::string text;
    for (const HtmlLink& link : page.links) {
        text += std::string(link.element) + " " + std::string(link.attribute) + " " +
                std::string(link.value) + " " + std::to_string(link.offset) + "\n";
    }
    return text + std::string(page.title.value_or("")) + std::string(page.base_href.value_or(""));
}

TEST(HtmlTreeSuite, ALinkIsReportedIfAndOnlyIfItIsMarkup) {
    WEFT_NEEDS_SUITE("html_tree");
    for (const json& test : suites::rows(suites::conformance_dir() / "html_tree/marker.json")) {
        const auto html = test["html"].get<std::string>();
        for (const std::size_t piece_bytes : {html.size() + 1, std::size_t{1}}) {
            const bool is_found = has_marker(read_in_pieces(html, piece_bytes));

            if (test["in_dom"]) EXPECT_TRUE(is_found) << test["file"] << " " << html;
            if (!test["start_tag"]) EXPECT_FALSE(is_found) << test["file"] << " " << html;
        }
    }
}

TEST(HtmlTreeSuite, EveryTreeTestGivesTheSameLinksHoweverItIsCut) {
    WEFT_NEEDS_SUITE("html_tree");
    for (const auto& file :
         std::filesystem::directory_iterator(suites::conformance_dir() / "html_tree")) {
        if (file.path().extension() != ".dat") continue;
        const std::string html = suites::read_file(file.path());

        const std::string whole = links_text(read_html(html));

        for (const std::size_t piece_bytes : {1u, 2u, 3u, 7u, 64u}) {
            EXPECT_EQ(links_text(read_in_pieces(html, piece_bytes)), whole) << file.path();
        }
    }
}

}  // namespace
}  // namespace weft::web
