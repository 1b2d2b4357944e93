#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "extract/rules/csv.h"
#include "extract/rules/row_line.h"
#include "extract/rules/rule_reader.h"
#include "web/tree/html_tree_builder.h"

// A file of rules, a zero byte, and a page. A bad file has an error with a place in it; a good one
// gives rows, whose fields are columns.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(input.find('\0'), size);
    auto parsed = extract::parse_rules(input.substr(0, end));
    if (!parsed) {
        const auto line_count = std::ranges::count(input.substr(0, end), '\n') + 1;
        WEFT_ASSERT(parsed.error().line >= 1 && parsed.error().column >= 1);
        WEFT_ASSERT(std::cmp_less_equal(parsed.error().line, line_count));
        WEFT_ASSERT(!parsed.error().reason.empty());
        return 0;
    }
    const auto rules = std::make_shared<const extract::Rules>(extract::Rules{{}, *parsed});
    web::HtmlTreeBuilder builder;
    extract::RuleReader reader(rules);
    extract::Extract page;
    reader.read(builder.parse(input.substr(std::min(end + 1, size))), "https://example.com/",
                nullptr, page);
    const extract::CsvTable table({"page_url"}, rules->columns());
    std::string out;
    for (const auto& row : page.rows) {
        WEFT_ASSERT(!row.empty());
        extract::append_row_line("https://example.com/", row, out);
        table.append_row({"https://example.com/"}, row, out);
    }
    WEFT_ASSERT(page.rows.size() <= extract::kRowsPerPageMax);
    return 0;
}
