#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "web/markup/html_names.h"

namespace weft::web {

enum class NodeKind : std::uint8_t {
    document,  // Only node 0.
    element,
    text,
    comment,
    doctype,      // name() is its name; it may have the attributes "public" and "system".
    instruction,  // `<?target data>`: name() is the target, text() the data.
};

// A node of an HtmlTree. Its subtree is [i, end), where i is its own index.
struct HtmlNode {
    std::uint32_t parent = 0;  // Of the document it is 0, too.
    std::uint32_t end = 0;
    NodeKind kind = NodeKind::element;
    Element element = Element::unknown;  // For other kinds it is `unknown`, too.
    Namespace space = Namespace::html;

    // Where the tree keeps its attributes, or its text, and its name if that is not in Element.
    // Read them through the tree.
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t name = 0;

    bool is_element() const { return kind == NodeKind::element; }
    bool is_text() const { return kind == NodeKind::text; }
    bool is_html(Element wanted) const {
        return element == wanted && space == Namespace::html && kind == NodeKind::element;
    }
};
static_assert(sizeof(HtmlNode) == 24);

// An attribute with its references decoded. The name is in lower case, except in SVG and MathML,
// where the standard gives some names capitals ("viewBox").
struct TreeAttribute {
    std::string_view name;
    std::string_view value;
};

// The tree of an HTML page, as a browser without scripts has it. The nodes lie in document order,
// so a loop over indexes visits each node after its parent and before its next sibling, and a
// subtree is a range. Node 0 is the document. The content of a <template> is its children.
//
//     for (const std::uint32_t child : tree.children(i))
//         if (tree[child].is_html(Element::p)) ...
//
// The tree owns its text: it needs neither the page's bytes nor its builder. All views end when the
// tree changes or ends. HtmlTreeBuilder fills it, and reuses its buffers for the next page.
class HtmlTree {
public:
    std::size_t size() const { return nodes_.size(); }
    const HtmlNode& operator[](std::size_t i) const { return nodes_[i]; }

    // The name of an element, a doctype or the target of an instruction; else empty.
    std::string_view name(std::size_t i) const;

    // The text of a text node, comment or instruction; else empty.
    std::string_view text(std::size_t i) const {
        const HtmlNode& node = nodes_[i];
        if (has_attributes(node.kind)) return {};
        return {text_.data() + node.begin, node.count};
    }

    // Appends the text of all text nodes in the subtree: the standard's "descendant text content".
    void append_text(std::size_t i, std::string& out) const;

    std::size_t attribute_count(std::size_t i) const {
        return has_attributes(nodes_[i].kind) ? nodes_[i].count : 0;
    }
    // REQUIRES: k < attribute_count(i).
    TreeAttribute attribute_at(std::size_t i, std::size_t k) const {
        const StoredAttribute& stored = attributes_[nodes_[i].begin + k];
        const char* const begin = values_.data() + stored.begin;
        return {{begin, stored.name_size}, {begin + stored.name_size, stored.value_size}};
    }
    // Nothing if there is no such attribute; an attribute without a value has an empty one.
    std::optional<std::string_view> attribute(std::size_t i, std::string_view name) const;

    // The children of a node, for a range-based for loop over their indexes.
    class Children {
    public:
        class Iterator {
        public:
            Iterator(const HtmlNode* nodes, std::uint32_t at) : nodes_(nodes), at_(at) {}
            std::uint32_t operator*() const { return at_; }
            Iterator& operator++() {
                at_ = nodes_[at_].end;
                return *this;
            }
            bool operator==(const Iterator& other) const { return at_ == other.at_; }

        private:
            const HtmlNode* nodes_;
            std::uint32_t at_;
        };
        Children(const HtmlNode* nodes, std::uint32_t i) : nodes_(nodes), i_(i) {}
        Iterator begin() const { return {nodes_, i_ + 1}; }
        Iterator end() const { return {nodes_, nodes_[i_].end}; }

    private:
        const HtmlNode* nodes_;
        std::uint32_t i_;
    };
    Children children(std::size_t i) const {
        return {nodes_.data(), static_cast<std::uint32_t>(i)};
    }

    // The first html element `wanted` in the subtree of `i`, or 0.
    std::uint32_t find(Element wanted, std::size_t i = 0) const;

    // The page has no doctype, or an old one ("quirks mode").
    bool is_quirks() const { return is_quirks_; }

    // The page had more bytes or nodes than the builder's limits. What came after the last node is
    // left out, except text, which is all in the last text node.
    bool is_cut() const { return is_cut_; }

    std::size_t memory_bytes() const {
        return nodes_.capacity() * sizeof(HtmlNode) + names_.capacity() * sizeof(Range) +
               attributes_.capacity() * sizeof(StoredAttribute) + values_.capacity() +
               text_.capacity();
    }

private:
    friend class HtmlTreeNodes;

    struct StoredAttribute {
        std::uint32_t begin;  // In values_; the value is directly after the name.
        std::uint32_t name_size;
        std::uint32_t value_size;
    };
    struct Range {
        std::uint32_t begin, size;
    };
    static bool has_attributes(NodeKind kind) {
        return kind == NodeKind::element || kind == NodeKind::doctype;
    }

    std::vector<HtmlNode> nodes_ = {{.end = 1, .kind = NodeKind::document}};
    std::vector<Range> names_;  // In values_; HtmlNode::name is an index plus 1.
    std::vector<StoredAttribute> attributes_;
    std::string values_;  // Names and values of attributes, and names of elements.
    std::string text_;
    bool is_quirks_ = false;
    bool is_cut_ = false;
};

}  // namespace weft::web
