#include "web/markup/active_formatting.h"

#include <algorithm>

#include "base/limits.h"
#include "web/tree/html_tree_nodes.h"

namespace weft::web {

void ActiveFormatting::add_marker() {
    make_room();
    entries_.emplace_back();
}

void ActiveFormatting::clear_to_marker() {
    while (!entries_.empty()) {
        const bool was_marker = entries_.back().is_marker();
        entries_.pop_back();
        if (was_marker) return;
    }
}

void ActiveFormatting::add(const OpenElement& element, std::size_t stack_index,
                           std::uint64_t attributes) {
    std::size_t alike = 0;
    std::size_t oldest = 0;
    for (std::size_t i = entries_.size(); i-- > 0 && !entries_[i].is_marker();) {
        if (entries_[i].element.name != element.name || entries_[i].attributes != attributes)
            continue;
        ++alike;
        oldest = i;
    }
    if (alike >= 3) erase(oldest);
    make_room();
    entries_.push_back({element, stack_index, attributes});
}

// The standard has no limit for the list. This one bounds the work of each search.
void ActiveFormatting::make_room() {
    if (entries_.size() == limits::kActiveFormattingMax) erase(0);
}

// "Reconstruct the active formatting elements": the entries after the last one that is open, or
// after the last marker, are opened again.
void ActiveFormatting::reconstruct(OpenElements& open, HtmlTreeNodes* nodes) {
    if (!needs_reconstruction(open)) return;
    std::size_t first = entries_.size() - 1;
    while (first > 0 && !entries_[first - 1].is_marker() && !is_open(entries_[first - 1], open)) {
        --first;
    }
    for (std::size_t i = first; i < entries_.size(); ++i) {
        OpenElement& element = entries_[i].element;
        if (nodes) {
            open.make_room();
            element.node = nodes->add_copy(element.node, nodes->place_in(open, open.current()));
        }
        open.restore(element);
        entries_[i].stack_index = open.size() - 1;
    }
}

std::optional<std::size_t> ActiveFormatting::find(Element element) const {
    for (std::size_t i = entries_.size(); i-- > 0 && !entries_[i].is_marker();) {
        if (entries_[i].element.element == element) return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> ActiveFormatting::find_serial(std::uint32_t serial) const {
    for (std::size_t i = entries_.size(); i-- > 0;) {
        if (entries_[i].element.serial == serial) return i;
    }
    return std::nullopt;
}

bool ActiveFormatting::close(Element element, OpenElements& open, HtmlTreeNodes* nodes) {
    if (open.current_is(element)) {
        // The usual case in well-formed markup: the element that was opened last is closed.
        if (drop_last(open.current().serial)) {
            open.pop();
            return true;
        }
        if (!find_serial(open.current().serial)) {
            open.pop();
            return true;
        }
    }
    // The outer loop of the algorithm has at most eight rounds.
    for (int i = 0; i < 8; ++i) {
        const auto entry = find(element);
        if (!entry) return i > 0;
        if (!adopt(*entry, open, nodes)) return true;
    }
    return true;
}

// One round of the adoption agency algorithm (section 13.2.6.4.7). Returns false if there is
// nothing more to do. The standard makes copies of elements; here an element and its copy have the
// same serial number, because only their nodes differ.
bool ActiveFormatting::adopt(std::size_t entry, OpenElements& open, HtmlTreeNodes* nodes) {
    if (!is_open(entries_[entry], open)) {
        erase(entry);
        return false;
    }
    const std::size_t at = entries_[entry].stack_index;
    for (std::size_t i = open.size() - 1; i > at; --i) {
        if ((open[i].traits & kScopeEnd) != 0) return false;
    }
    // The "furthest block": the first special element inside the formatting element.
    std::size_t block = at + 1;
    while (block < open.size() && (open[block].traits & kSpecial) == 0) ++block;
    if (block == open.size()) {
        open.pop_to(at);
        erase(entry);
        return false;
    }
    move_below(entry, at, block, open, nodes);
    return true;
}

// Moves the element at `at` below the block. Of the elements between the two, the three next to the
// block stay open if they are in the list; the others are closed.
void ActiveFormatting::move_below(std::size_t entry, std::size_t at, std::size_t block,
                                  OpenElements& open, HtmlTreeNodes* nodes) {
    FormattingEntry moved = entries_[entry];
    const std::uint32_t block_node = open[block].node;
    std::uint32_t last_node = block_node;
    if (nodes) nodes->prepare_clones(4);
    std::uint32_t bookmark = 0;  // The serial of the entry that `moved` will follow in the list.
    int round = 0;
    std::size_t taken = 1;
    for (std::size_t i = block - 1; i > at; --i) {
        auto between = find_serial(open[i].serial);
        if (++round > 3 && between) {
            erase(*between);
            between.reset();
        }
        if (!between) {
            open.erase(i);
            --block;
            ++taken;
            continue;
        }
        if (bookmark == 0) bookmark = open[i].serial;
        if (!nodes) continue;
        const std::uint32_t copy = nodes->clone(open[i].node);
        entries_[*between].element.node = copy;
        open.set_node(i, copy);
        nodes->insert(last_node, {copy});
        last_node = copy;
    }
    if (nodes) {
        nodes->insert(last_node, nodes->place_in(open, open[at - 1]));
        moved.element.node = nodes->clone(moved.element.node);
        nodes->take_children(block_node, moved.element.node);
        nodes->insert(moved.element.node, {block_node});
    }
    open.erase(at);
    // The erase moved the block down by one, so this index is directly after it.
    open.insert(block, moved.element);

    std::size_t old = *find_serial(moved.element.serial);
    erase(old);
    if (bookmark != 0) old = *find_serial(bookmark) + 1;
    entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(old), moved);
    entries_[old].stack_index = block;
    follow(open, at, taken);
}

void ActiveFormatting::remove(std::size_t entry, OpenElements& open) {
    const std::size_t at = entries_[entry].stack_index;
    const bool was_open = is_open(entries_[entry], open);
    if (was_open) open.erase(at);
    erase(entry);
    if (was_open) follow(open, at, 1);
}

void ActiveFormatting::follow(const OpenElements& open, std::size_t from, std::size_t count) {
    for (FormattingEntry& entry : entries_) {
        if (entry.is_marker() || entry.stack_index < from) continue;
        // The order has not changed, so an element can only have moved down, and by at most
        // `count`.
        for (std::size_t i = 0; i <= count && entry.stack_index > from && !is_open(entry, open);
             ++i) {
            --entry.stack_index;
        }
    }
}

}  // namespace weft::web
