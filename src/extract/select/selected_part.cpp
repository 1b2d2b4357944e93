#include "extract/select/outer_html.h"
#include "extract/select/selector_matcher.h"
#include "extract/text/markdown.h"

namespace weft::extract {
namespace {

// White space becomes one space, and none at the ends.
void append_collapsed(std::string_view text, std::size_t begin, bool& has_space, std::string& out) {
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r') {
            has_space = true;
            continue;
        }
        if (has_space && out.size() > begin) out += ' ';
        has_space = false;
        out += c;
    }
}

}  // namespace

bool append_part(const web::HtmlTree& tree, std::uint32_t node, const Selector& selector,
                 const web::Url* base, std::string& out) {
    const std::size_t begin = out.size();
    bool has_space = false;
    switch (selector.part) {
        case SelectorPart::element:
            for (std::uint32_t i = node; i < tree[node].end; ++i) {
                if (tree[i].is_text()) append_collapsed(tree.text(i), begin, has_space, out);
            }
            return true;
        case SelectorPart::text:
            for (const std::uint32_t child : tree.children(node)) {
                if (tree[child].is_text()) {
                    append_collapsed(tree.text(child), begin, has_space, out);
                }
            }
            return true;
        case SelectorPart::attribute: {
            const auto value = tree.attribute(node, selector.attribute);
            if (value) out += *value;
            return value.has_value();
        }
        case SelectorPart::html: append_outer_html(tree, node, out); return true;
        case SelectorPart::markdown: write_markdown(tree, {.root = node}, base, out); return true;
    }
    return false;
}

}  // namespace weft::extract
