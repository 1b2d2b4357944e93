#include "web/tree/html_tree.h"

#include <cstring>

#include "web/tree/foreign_names.h"

namespace weft::web {

std::string_view HtmlTree::name(std::size_t i) const {
    const HtmlNode& node = nodes_[i];
    if (node.name != 0) {
        const Range& range = names_[node.name - 1];
        return {values_.data() + range.begin, range.size};
    }
    if (node.kind != NodeKind::element) return {};
    const std::string_view lower = name_of(node.element);
    return node.space == Namespace::svg ? svg_element_name(lower) : lower;
}

void HtmlTree::append_text(std::size_t i, std::string& out) const {
    for (std::size_t k = i; k < nodes_[i].end; ++k) {
        if (nodes_[k].is_text()) out += text(k);
    }
}

std::optional<std::string_view> HtmlTree::attribute(std::size_t i, std::string_view name) const {
    const std::size_t count = attribute_count(i);
    for (std::size_t k = 0; k < count; ++k) {
        const StoredAttribute& stored = attributes_[nodes_[i].begin + k];
        if (stored.name_size != name.size()) continue;
        const char* const begin = values_.data() + stored.begin;
        if (std::memcmp(begin, name.data(), name.size()) != 0) continue;
        return std::string_view(begin + stored.name_size, stored.value_size);
    }
    return std::nullopt;
}

std::uint32_t HtmlTree::find(Element wanted, std::size_t i) const {
    for (std::size_t k = i; k < nodes_[i].end; ++k) {
        if (nodes_[k].is_html(wanted)) return static_cast<std::uint32_t>(k);
    }
    return 0;
}

}  // namespace weft::web
