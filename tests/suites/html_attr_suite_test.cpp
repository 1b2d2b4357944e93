#include <string>
#include <string_view>

#include "suites/conformance.h"
#include "web/html/html.h"
#include "web/html/meta_refresh.h"
#include "web/html/srcset.h"

namespace weft::web {
namespace {

using nlohmann::json;

json candidate_json(const SrcsetCandidate& candidate) {
    json row = {{"url", candidate.url}};
    if (candidate.width) row["w"] = *candidate.width;
    if (candidate.height) row["h"] = *candidate.height;
    if (candidate.density) row["x"] = *candidate.density;
    return row;
}

// As the URL parser strips it.
std::string stripped(std::string_view url) {
    const auto is_outer = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    while (!url.empty() && is_outer(url.front())) url.remove_prefix(1);
    while (!url.empty() && is_outer(url.back())) url.remove_suffix(1);
    std::string text;
    for (const char c : url) {
        if (c != '\t' && c != '\n' && c != '\r') text += c;
    }
    return text;
}

TEST(HtmlAttrSuite, SrcsetCandidatesAreThoseOfTheStandard) {
    WEFT_NEEDS_SUITE("html_attr");
    for (const json& test : suites::rows(suites::conformance_dir() / "html_attr/srcset.json")) {
        const auto srcset = test["srcset"].get<std::string>();
        json candidates = json::array();
        SrcsetReader reader(srcset);
        while (const auto candidate = reader.next())
            candidates.push_back(candidate_json(*candidate));

        EXPECT_EQ(candidates, test["candidates"]) << srcset;
    }
}

TEST(HtmlAttrSuite, MetaRefreshIsReadAsTheStandardReadsIt) {
    WEFT_NEEDS_SUITE("html_attr");
    const auto file = suites::conformance_dir() / "html_attr/meta_refresh.json";
    for (const json& test : suites::rows(file)) {
        const auto input = test["input"].get<std::string>();
        const auto refresh = parse_meta_refresh(input);
        json result;
        if (refresh) {
            result["time"] = refresh->seconds;
            result["url"] = nullptr;
            if (refresh->url) result["url"] = stripped(*refresh->url);
        }

        EXPECT_EQ(result, test["expected"]) << input;
    }
}

// The half that needs no URL parser: which links there are.
TEST(HtmlAttrSuite, EveryAnchorOfABaseTestIsFound) {
    WEFT_NEEDS_SUITE("html_attr");
    for (const json& test : suites::rows(suites::conformance_dir() / "html_attr/base.json")) {
        const HtmlPage page = read_html(test["html"].get<std::string>());

        EXPECT_EQ(page.links.size(), test["links"].size()) << test["name"];
    }
}

}  // namespace
}  // namespace weft::web
