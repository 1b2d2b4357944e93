#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "web/markup/open_elements.h"

namespace weft::web {

class HtmlTreeNodes;

// The standard's list of active formatting elements (HTML standard, section 13.2.4.3): <b>, <a> and
// similar elements, which in misnested markup stay open after their parents have ended. They affect
// which elements are open, and so whether a later tag is inside SVG. At most kActiveFormattingMax
// entries are kept; then the oldest one is dropped. Functions that get `nodes` also copy and move
// nodes of the tree; it is null if no tree is built.
class ActiveFormatting {
public:
    // Marks the start of a table cell, caption, template or object. Inside it, entries before the
    // marker are not used.
    void add_marker();
    void clear_to_marker();

    // `attributes` is a hash that tells elements of the same name apart. If there are three equal
    // entries already, the oldest of them is dropped (the "Noah's Ark clause").
    void add(const OpenElement& element, std::size_t stack_index, std::uint64_t attributes);

    // Drops the last entry if it is the element with that serial number.
    bool drop_last(std::uint32_t serial) {
        if (entries_.empty() || entries_.back().element.serial != serial) return false;
        entries_.pop_back();
        return true;
    }

    // Whether text or a phrasing element would reopen elements here.
    bool needs_reconstruction(const OpenElements& open) const {
        return !entries_.empty() && !entries_.back().is_marker() && !is_open(entries_.back(), open);
    }
    void reconstruct(OpenElements& open, HtmlTreeNodes* nodes);

    // The last entry of that name after the last marker.
    std::optional<std::size_t> find(Element element) const;
    std::optional<std::size_t> find_serial(std::uint32_t serial) const;
    std::uint32_t serial(std::size_t entry) const { return entries_[entry].element.serial; }

    // Removes the entry from the list and, if it is open, from the stack.
    void remove(std::size_t entry, OpenElements& open);

    // Updates the stack indexes of the entries. Call it after up to `count` elements at or above
    // `from` were removed from the stack while elements above them stay.
    void follow(const OpenElements& open, std::size_t from, std::size_t count);

    // Handles the end tag of a formatting element by the adoption agency algorithm. Returns false
    // if the list has no such element; then the tag is handled like any other end tag.
    bool close(Element element, OpenElements& open, HtmlTreeNodes* nodes);

    // Sets the node of the last entry, if that is the element with that serial number.
    void set_last_node(std::uint32_t serial, std::uint32_t node) {
        if (!entries_.empty() && entries_.back().element.serial == serial) {
            entries_.back().element.node = node;
        }
    }

    void clear() { entries_.clear(); }

private:
    struct FormattingEntry {
        OpenElement element;          // The serial of a marker is 0.
        std::size_t stack_index = 0;  // Its place in the stack if it is open: see is_open().
        std::uint64_t attributes = 0;

        bool is_marker() const { return element.serial == 0; }
    };

    bool is_open(const FormattingEntry& entry, const OpenElements& open) const {
        return entry.stack_index < open.size() &&
               open[entry.stack_index].serial == entry.element.serial;
    }
    void erase(std::size_t entry) {
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
    }
    void make_room();
    bool adopt(std::size_t entry, OpenElements& open, HtmlTreeNodes* nodes);
    void move_below(std::size_t entry, std::size_t at, std::size_t block, OpenElements& open,
                    HtmlTreeNodes* nodes);

    std::vector<FormattingEntry> entries_;
};

}  // namespace weft::web
