#include <algorithm>

#include "web/tree/html_tree_nodes.h"

// The element <selectedcontent> shows a copy of the selected option of its select (HTML standard,
// section 4.10.17). A browser copies it while it parses; the copy at the end is the same, because
// without scripts the selection does not change later.
namespace weft::web {
namespace {

constexpr std::size_t kFilledSelectCountMax = 64;  // In one page. Selects may be nested.

}  // namespace

void HtmlTreeNodes::fill_selected_content() {
    std::vector<std::uint32_t> done;  // Only the first of a select is filled.
    for (const std::uint32_t content : selected_contents_) {
        std::uint32_t select = nodes()[content].parent;
        while (select != 0 && !nodes()[select].is_html(Element::select)) {
            select = nodes()[select].parent;
        }
        if (select == 0 || std::ranges::find(done, select) != done.end()) continue;
        if (done.size() == kFilledSelectCountMax) return;
        done.push_back(select);
        const std::uint32_t option = selected_option(select);
        std::uint32_t above = content;  // An option cannot be copied into itself.
        while (above != select && above != option) above = nodes()[above].parent;
        if (option == 0 || above == option) continue;
        links_[content].first = links_[content].last = 0;
        copy_children(option, content);
    }
}

// The last option that says so, else the first one that can be selected.
std::uint32_t HtmlTreeNodes::selected_option(std::uint32_t select) const {
    std::uint32_t first = 0;
    std::uint32_t chosen = 0;
    for (std::uint32_t i = next_inside(select, select); i != 0; i = next_inside(i, select)) {
        if (!tree_->nodes_[i].is_html(Element::option)) continue;
        if (first == 0 && !has_attribute(i, "disabled")) first = i;
        if (has_attribute(i, "selected")) chosen = i;
    }
    return chosen != 0 ? chosen : first;
}

void HtmlTreeNodes::copy_children(std::uint32_t from, std::uint32_t to) {
    std::uint32_t parent = to;      // Of the next copy.
    std::uint32_t original = from;  // What `parent` is a copy of.
    for (std::uint32_t i = next_inside(from, from); i != 0; i = next_inside(i, from)) {
        while (nodes()[i].parent != original) {
            original = nodes()[original].parent;
            parent = nodes()[parent].parent;
        }
        const std::uint32_t copy = clone(i);
        if (tree_->is_cut_) return;
        insert(copy, {parent});
        parent = copy;
        original = i;
    }
}

// The next node in document order that is below `root`, or 0.
std::uint32_t HtmlTreeNodes::next_inside(std::uint32_t node, std::uint32_t root) const {
    if (links_[node].first != 0) return links_[node].first;
    while (node != root && links_[node].next == 0) node = tree_->nodes_[node].parent;
    return node == root ? 0 : links_[node].next;
}

bool HtmlTreeNodes::has_attribute(std::uint32_t node, std::string_view name) const {
    return tree_->attribute(node, name).has_value();
}

}  // namespace weft::web
