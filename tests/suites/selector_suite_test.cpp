#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "extract/select/selector_matcher.h"
#include "suites/tar_zst.h"
#include "web/tree/html_tree_builder.h"

// The values of 40 selectors on real pages, computed with cssselect on gumbo's tree.
namespace weft::extract {
namespace {

using suites::Json;

constexpr std::size_t kShownBytes = 120;  // In characters of Unicode; the truth is cut there.
constexpr std::size_t kShownCount = 20;

// As the truth was made: white space of Unicode collapsed, cut, and collapsed again at the end.
std::string shown(std::string_view value) {
    std::string out;
    std::size_t count = 0;
    bool has_space = false;
    for (std::size_t i = 0; i < value.size() && count < kShownBytes;) {
        std::size_t size = 1;
        while (i + size < value.size() && (value[i + size] & 0xC0) == 0x80) ++size;
        const std::string_view letter = value.substr(i, size);
        i += size;
        const bool is_space = letter <= " " || letter == "\u00A0" || letter == "\u0085" ||
                              (letter >= "\u2000" && letter <= "\u200A") || letter == "\u2028" ||
                              letter == "\u2029" || letter == "\u202F" || letter == "\u3000";
        if (is_space) {
            has_space = true;
            continue;
        }
        if (has_space && !out.empty()) {
            out += ' ';
            ++count;
        }
        has_space = false;
        if (count++ < kShownBytes) out += letter;
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
}

TEST(SelectorSuite, ValuesAreThoseOfCssselect) {
    WEFT_NEEDS_SUITE("extract/selectors.tar.zst");
    const auto truth = suites::read_tar_zst(suites::conformance_path("extract/selectors.tar.zst"));
    auto pages = suites::read_tar_zst(suites::conformance_path("extract/readability.tar.zst"));
    std::map<std::string, std::vector<Json>> by_page;
    for (const Json& row : suites::json_lines(truth.at("selectors/truth.jsonl"))) {
        by_page[row["page"]].push_back(row);
    }
    web::HtmlTreeBuilder builder;
    std::size_t right = 0;
    std::size_t total = 0;
    for (const auto& [page, rows] : by_page) {
        const web::HtmlTree& tree = builder.parse(pages["readability/html/" + page + ".html"]);
        for (const Json& row : rows) {
            const auto selector = parse_selector(row["selector"].get<std::string>());
            ASSERT_TRUE(selector) << row["selector"];
            SelectorMatcher matcher({*selector});
            matcher.read(tree);
            std::size_t count = 0;
            std::vector<std::string> values;
            for (const std::uint32_t node : matcher.matches(0)) {
                std::string value;
                if (!append_part(tree, node, *selector, nullptr, value)) continue;
                if (count++ < kShownCount) values.push_back(shown(value));
            }
            std::vector<std::string> wanted;
            for (const Json& value : row["values"]) wanted.push_back(shown(suites::text(value)));
            ++total;
            const bool is_right = row["count"] == count && wanted == values;
            right += is_right ? 1 : 0;
            if (!is_right) RecordProperty("miss", row["id"].get<std::string>());
        }
    }
    EXPECT_GE(static_cast<double>(right), 0.995 * static_cast<double>(total));
    RecordProperty("right", static_cast<int>(right));
}

}  // namespace
}  // namespace weft::extract
