#include "web/tree/html_tree_nodes.h"

#include <algorithm>
#include <utility>

#include "web/tree/foreign_names.h"

namespace weft::web {
namespace {

// In a text node that is under construction: it belongs to the text node before it.
constexpr std::uint32_t kContinues = 1;

bool is_table_structure(const OpenElement& open) {
    if (open.space != Namespace::html) return false;
    switch (open.element) {
        case Element::table:
        case Element::tbody:
        case Element::tfoot:
        case Element::thead:
        case Element::tr: return true;
        default: return false;
    }
}

std::size_t find_last(const OpenElements& open, Element element) {
    if (!open.has(element)) return OpenElements::npos;
    for (std::size_t i = open.size(); i-- > 0;) {
        if (open[i].is_html(element)) return i;
    }
    return OpenElements::npos;
}

}  // namespace

void HtmlTreeNodes::begin(HtmlTree& tree, const HtmlTreeLimits& limits) {
    tree_ = &tree;
    limits_ = limits;
    tree.nodes_.clear();
    tree.nodes_.push_back({.end = 1, .kind = NodeKind::document});
    tree.names_.clear();
    tree.attributes_.clear();
    tree.values_.clear();
    tree.text_.clear();
    tree.is_quirks_ = tree.is_cut_ = false;
    links_.assign(1, {});
    merged_.clear();
    selected_contents_.clear();
    is_fostering_ = false;
    is_ordered_ = true;
    has_gap_ = false;
    late_text_ = 0;
    seen_first_ = UINT32_MAX;
}

HtmlTreeNodes::InsertionPoint HtmlTreeNodes::place_in(const OpenElements& open,
                                                      const OpenElement& target) const {
    if (!is_fostering_ || !is_table_structure(target)) return {target.node};
    const std::size_t table = find_last(open, Element::table);
    const std::size_t last_template = find_last(open, Element::template_);
    if (last_template != OpenElements::npos &&
        (table == OpenElements::npos || last_template > table)) {
        return {open[last_template].node};
    }
    if (table == OpenElements::npos) return {open[0].node};
    const std::uint32_t node = open[table].node;
    const std::uint32_t parent = tree_->nodes_[node].parent;
    // The table may have been moved out of the tree, or be the root's own child by adoption.
    if (parent != 0) return {parent, node};
    return {open[table - 1].node};
}

std::uint32_t HtmlTreeNodes::add_element(Element element, Namespace space, const HtmlTag* tag,
                                         InsertionPoint place) {
    if (!has_room()) return place.parent;
    HtmlNode node{.element = element, .space = space};
    node.begin = static_cast<std::uint32_t>(tree_->attributes_.size());
    if (tag) {
        if (tag->attribute_count() != 0) store_attributes(node, *tag);
        if (element == Element::unknown) {
            const std::string name = tag->name();
            node.name = store_name(space == Namespace::svg ? svg_element_name(name) : name);
            if (space == Namespace::html && name == "selectedcontent") {
                selected_contents_.push_back(size());
            }
        }
    }
    return add(node, place);
}

void HtmlTreeNodes::add_comment(std::string_view text, InsertionPoint place) {
    if (has_room()) add(text_node(NodeKind::comment, text), place);
}

void HtmlTreeNodes::add_instruction(std::string_view target, std::string_view data,
                                    InsertionPoint place) {
    if (!has_room()) return;
    HtmlNode node = text_node(NodeKind::instruction, data);
    node.name = store_name(target);
    add(node, place);
}

HtmlNode HtmlTreeNodes::text_node(NodeKind kind, std::string_view text) {
    HtmlNode node{.kind = kind};
    node.begin = static_cast<std::uint32_t>(tree_->text_.size());
    node.count = static_cast<std::uint32_t>(text.size());
    tree_->text_ += text;
    return node;
}

void HtmlTreeNodes::add_text(std::string_view text, InsertionPoint place) {
    if (tree_->is_cut_) return add_late_text(text, place);
    const std::uint32_t before =
        place.before == 0 ? links_[place.parent].last : links_[place.before].previous;
    const bool goes_on = before != 0 && nodes()[before].is_text();
    if (goes_on) {
        HtmlNode& node = nodes()[before];
        if (node.begin + node.count == tree_->text_.size()) {
            node.count += static_cast<std::uint32_t>(text.size());
            tree_->text_ += text;
            return;
        }
    }
    if (!has_room()) return add_late_text(text, place);
    HtmlNode node = text_node(NodeKind::text, text);
    if (goes_on) {
        node.name = kContinues;
        is_ordered_ = false;
    }
    add(node, place);
}

// The room for this last node was kept.
void HtmlTreeNodes::add_late_text(std::string_view text, InsertionPoint place) {
    if (late_text_ == 0) {
        late_text_ = add(text_node(NodeKind::text, {}), place);
    } else if (has_gap_) {
        tree_->text_ += '\n';
    }
    has_gap_ = false;
    tree_->text_ += text;
    HtmlNode& node = nodes()[late_text_];
    node.count = static_cast<std::uint32_t>(tree_->text_.size()) - node.begin;
}

bool HtmlTreeNodes::has_room() {
    if (!tree_->is_cut_ && size() + 1 < limits_.node_count_max) return true;
    tree_->is_cut_ = has_gap_ = true;
    return false;
}

std::uint32_t HtmlTreeNodes::add(const HtmlNode& node, InsertionPoint place) {
    check_order(place);
    const std::uint32_t i = size();
    nodes().push_back(node);
    links_.emplace_back();
    link(i, place);
    return i;
}

// Whether the new node comes behind all others, which is so if the last node is inside the parent.
// Each step of the loop leaves an element that was opened before, so the steps are linear in sum.
void HtmlTreeNodes::check_order(InsertionPoint place) {
    if (!is_ordered_) return;
    std::uint32_t last = size() - 1;
    while (last > place.parent) last = nodes()[last].parent;
    is_ordered_ = last == place.parent && place.before == 0;
}

void HtmlTreeNodes::link(std::uint32_t node, InsertionPoint place) {
    nodes()[node].parent = place.parent;
    Link& link = links_[node];
    link.next = place.before;
    std::uint32_t& before =
        place.before == 0 ? links_[place.parent].last : links_[place.before].previous;
    link.previous = std::exchange(before, node);
    (link.previous == 0 ? links_[place.parent].first : links_[link.previous].next) = node;
}

void HtmlTreeNodes::detach(std::uint32_t node) {
    Link& link = links_[node];
    Link& parent = links_[nodes()[node].parent];
    (link.previous == 0 ? parent.first : links_[link.previous].next) = link.next;
    (link.next == 0 ? parent.last : links_[link.next].previous) = link.previous;
    link.next = link.previous = 0;
    nodes()[node].parent = 0;
}

std::uint32_t HtmlTreeNodes::add_copy(std::uint32_t node, InsertionPoint place) {
    if (!has_room()) return place.parent;
    HtmlNode copy = nodes()[node];
    copy.end = 0;
    return add(copy, place);
}

std::uint32_t HtmlTreeNodes::clone(std::uint32_t node) {
    if (!has_room()) return node;
    HtmlNode copy = nodes()[node];
    copy.parent = 0;
    nodes().push_back(copy);
    links_.emplace_back();
    is_ordered_ = false;
    return size() - 1;
}

void HtmlTreeNodes::prepare_clones(std::size_t clone_count) {
    if (size() + clone_count >= limits_.node_count_max) tree_->is_cut_ = true;
}

void HtmlTreeNodes::insert(std::uint32_t node, InsertionPoint place) {
    if (tree_->is_cut_) return;
    if (nodes()[node].parent != 0) detach(node);
    link(node, place);
    is_ordered_ = false;
}

void HtmlTreeNodes::take_children(std::uint32_t from, std::uint32_t to) {
    if (tree_->is_cut_) return;
    for (std::uint32_t child = links_[from].first; child != 0; child = links_[child].next) {
        nodes()[child].parent = to;
    }
    links_[to].first = std::exchange(links_[from].first, 0);
    links_[to].last = std::exchange(links_[from].last, 0);
    is_ordered_ = false;
}

void HtmlTreeNodes::remove(std::uint32_t node) {
    if (tree_->is_cut_) return;
    detach(node);
    is_ordered_ = false;
}

void HtmlTreeNodes::finish() {
    fill_selected_content();
    finish_merged();
    if (is_ordered_) {
        set_ends();
    } else {
        flatten();
    }
}

void HtmlTreeNodes::set_ends() {
    for (std::uint32_t i = size(); i-- > 0;) {
        HtmlNode& node = nodes()[i];
        node.end = std::max(node.end, i + 1);
        HtmlNode& parent = nodes()[node.parent];
        parent.end = std::max(parent.end, node.end);
    }
}

// Follows the links in document order. In the links of a node that is done, `previous` is its new
// index.
void HtmlTreeNodes::flatten() {
    flat_.clear();
    flat_.reserve(nodes().size());
    for (std::uint32_t i = 0;;) {
        HtmlNode node = nodes()[i];
        if (node.is_text() && std::exchange(node.name, 0) == kContinues) {
            continue_text(flat_.back(), node);
        } else {
            links_[i].previous = static_cast<std::uint32_t>(flat_.size());
            node.parent = links_[node.parent].previous;
            node.end = 0;
            flat_.push_back(node);
        }
        if (links_[i].first != 0) {
            i = links_[i].first;
            continue;
        }
        while (i != 0 && links_[i].next == 0) i = nodes()[i].parent;
        if (i == 0) break;
        i = links_[i].next;
    }
    nodes().swap(flat_);
    set_ends();
}

// Appends to a text that may lie anywhere in the buffer: then it is copied to the end first. That
// happens once for a text, because the nodes that continue it follow one another.
void HtmlTreeNodes::continue_text(HtmlNode& text, const HtmlNode& more) {
    std::string& buffer = tree_->text_;
    if (text.begin + text.count != buffer.size()) {
        const auto begin = static_cast<std::uint32_t>(buffer.size());
        buffer.append(buffer, text.begin, text.count);
        text.begin = begin;
    }
    buffer.append(buffer, more.begin, more.count);
    text.count += more.count;
}

}  // namespace weft::web
