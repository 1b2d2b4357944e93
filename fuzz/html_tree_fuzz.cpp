#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "web/tree/html_tree_builder.h"

// Any bytes make a tree whose ranges nest, within the limits; and the buffers of an earlier page
// leave no trace in the next one.
namespace {

using namespace weft;
using namespace weft::web;

void check(const HtmlTree& tree, std::size_t node_count_max) {
    WEFT_ASSERT(tree.size() >= 1 && tree.size() <= node_count_max);
    WEFT_ASSERT(tree[0].end == tree.size());
    for (std::uint32_t i = 1; i < tree.size(); ++i) {
        const HtmlNode& parent = tree[tree[i].parent];
        WEFT_ASSERT(tree[i].parent < i && tree[i].end > i && tree[i].end <= parent.end);
        WEFT_ASSERT(parent.is_element() || tree[i].parent == 0);
        WEFT_ASSERT(tree[i].is_element() || tree[i].end == i + 1);
    }
}

std::string tree_text(const HtmlTree& tree) {
    std::string text;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        text += std::to_string(tree[i].parent) + " ";
        (text += tree.name(i)) += '\n';
        (text += tree.text(i)) += '\n';
        for (std::size_t k = 0; k < tree.attribute_count(i); ++k) {
            const TreeAttribute attribute = tree.attribute_at(i, k);
            ((text += attribute.name) += '=') += attribute.value;
        }
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string document(reinterpret_cast<const char*>(data) + 1, size - 1);

    HtmlTreeBuilder fresh;
    const std::string text = tree_text(fresh.parse(document));
    check(fresh.parse(document), limits::kTreeNodeCountMax);
    WEFT_ASSERT(tree_text(fresh.parse(document)) == text);

    static constexpr std::string_view kContexts[] = {"div", "td", "select", "template", "script"};
    check(fresh.parse_fragment(document, {kContexts[data[0] % 5]}), limits::kTreeNodeCountMax);
    WEFT_ASSERT(tree_text(fresh.parse(document)) == text);

    const std::size_t few = 8 + data[0];
    HtmlTreeBuilder small({.bytes_max = 4096, .node_count_max = few});
    check(small.parse(document), few);
    return 0;
}
