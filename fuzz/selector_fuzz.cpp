#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "extract/select/selector_matcher.h"
#include "web/tree/html_tree_builder.h"

// The first line is a selector, the rest a page. A bad selector has an error at one of its
// characters or behind the last; a good one finds elements, in order, within its steps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    constexpr std::uint64_t kSteps = 100'000;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(input.find('\n'), size);
    const std::string_view text = input.substr(0, line);
    const auto selector = extract::parse_selector(text);
    if (!selector) {
        WEFT_ASSERT(selector.error().column >= 1 && selector.error().column <= text.size() + 1);
        WEFT_ASSERT(!selector.error().reason.empty());
        return 0;
    }
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse(input.substr(std::min(line + 1, size)));
    extract::SelectorMatcher matcher({*selector}, kSteps);
    matcher.read(tree);
    std::uint32_t before = 0;
    for (const std::uint32_t node : matcher.matches(0)) {
        WEFT_ASSERT(node > before && node < tree.size() && tree[node].is_element());
        before = node;
    }
    std::string out;
    if (before != 0) extract::append_part(tree, before, *selector, nullptr, out);
    return 0;
}
