#include "extract/line/line_links.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "extract/fields/field_text.h"
#include "extract/text/flow.h"
#include "extract/text/link_target.h"

namespace weft::extract {
namespace {

using web::Element;
using web::HtmlTree;

// Text after this many nodes does not count. Links may contain links, so reading each to its end
// could take the square of the page's size.
constexpr std::uint32_t kLinkNodesMax = 1'000;

// The text of a link, or the alternative text of its first picture that has one.
std::string text_of(const HtmlTree& tree, std::uint32_t link) {
    if (tree[link].element == Element::area)
        return collapsed(tree.attribute(link, "alt").value_or(""), limits::kLinkTextBytesMax);
    std::string text;
    std::string_view picture;
    const std::uint32_t end = std::min(tree[link].end, link + 1 + kLinkNodesMax);
    for (std::uint32_t i = link + 1; i < end && text.size() < 2 * limits::kLinkTextBytesMax; ++i) {
        const web::HtmlNode& node = tree[i];
        if (node.is_text()) {
            text += tree.text(i).substr(0, 2 * limits::kLinkTextBytesMax);
        } else if (node.is_html(Element::script) || node.is_html(Element::style)) {
            i = node.end - 1;
        } else if (node.is_html(Element::img) && picture.empty()) {
            picture = tree.attribute(i, "alt").value_or("");
        } else if (node.is_element() && flow_of(node) != Flow::inline_text) {
            text += ' ';
        }
    }
    text = collapsed(text, limits::kLinkTextBytesMax);
    return text.empty() ? collapsed(picture, limits::kLinkTextBytesMax) : text;
}

}  // namespace

bool read_line_links(const HtmlTree& tree, const KeptNodes& kept, const web::Url* base,
                     std::vector<PageLink>& out) {
    std::size_t byte_count = 0;
    std::uint32_t dropped_end = 0;  // All nodes before it are in a dropped subtree.
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        const web::HtmlNode& node = tree[i];
        if (kept.drops(i)) dropped_end = std::max(dropped_end, node.end);
        if (node.is_html(Element::template_)) i = node.end - 1;
        if (!node.is_html(Element::a) && !node.is_html(Element::area)) continue;
        const auto href = tree.attribute(i, "href");
        if (!href || trim(*href).starts_with('#')) continue;
        auto url = link_target(*href, base);
        if (!url || url->empty()) continue;
        PageLink link{
            .url = *std::move(url),
            .text = text_of(tree, i),
            .rel = collapsed(tree.attribute(i, "rel").value_or(""), limits::kLinkTextBytesMax),
            .is_main = i >= dropped_end && kept.root <= i && i < tree[kept.root].end};
        byte_count += link.url.size() + link.text.size() + link.rel.size();
        if (out.size() >= kLineLinksMax || byte_count > kLineLinkBytesMax) return false;
        out.push_back(std::move(link));
    }
    return true;
}

}  // namespace weft::extract
