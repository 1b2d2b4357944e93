#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "web/markup/open_elements.h"

namespace weft::web {

// The standard's list of active formatting elements: <b>, <a> and their like that misnesting keeps
// alive past the end of their parents. They decide what is still open, and so whether a later tag
// is inside SVG. At most kActiveFormattingMax entries; the oldest is forgotten then.
class ActiveFormatting {
public:
    // Where a table cell, template or object begins: nothing before it is looked at inside.
    void add_marker();
    void clear_to_marker();

    // `attributes` tells elements of one name apart: of four alike the oldest is dropped.
    void add(const OpenElement& element, std::size_t stack_index, std::uint64_t attributes);

    // Whether text or a phrasing element would open elements again here.
    bool needs_reconstruction(const OpenElements& open) const;
    void reconstruct(OpenElements& open);

    // The last of that name behind the last marker.
    std::optional<std::size_t> find(Element element) const;
    std::optional<std::size_t> find_serial(std::uint32_t serial) const;
    std::uint32_t serial(std::size_t entry) const { return entries_[entry].element.serial; }

    // Takes it out of the list and, if it is open, out of the stack.
    void remove(std::size_t entry, OpenElements& open);

    // To be told when up to `count` elements at or above `from` were taken out of the stack with
    // others above them left: the list knows where its elements are.
    void follow(const OpenElements& open, std::size_t from, std::size_t count);

    // An end tag of a formatting element: the adoption agency algorithm. False: no such element is
    // in the list, and the tag is like that of any other element.
    bool close(Element element, OpenElements& open);

    void clear() { entries_.clear(); }

private:
    struct Entry {
        OpenElement element;          // serial 0: a marker.
        std::size_t stack_index = 0;  // Where it is if it is open: see is_open().
        std::uint64_t attributes = 0;

        bool is_marker() const { return element.serial == 0; }
    };

    bool is_open(const Entry& entry, const OpenElements& open) const {
        return entry.stack_index < open.size() &&
               open[entry.stack_index].serial == entry.element.serial;
    }
    void erase(std::size_t entry) {
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
    }
    void make_room();
    bool adopt(std::size_t entry, OpenElements& open);
    void move_below(std::size_t entry, std::size_t at, std::size_t block, OpenElements& open);

    std::vector<Entry> entries_;
};

}  // namespace weft::web
