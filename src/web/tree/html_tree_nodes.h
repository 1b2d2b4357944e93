#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "web/markup/html_doctype.h"
#include "web/markup/html_tag.h"
#include "web/markup/open_elements.h"
#include "web/tree/html_tree.h"

namespace weft::web {

// How much of a page the builder reads.
struct HtmlTreeLimits {
    std::size_t bytes_max = limits::kHtmlBytesMax;
    std::size_t node_count_max = limits::kTreeNodeCountMax;
};

// The nodes of an HtmlTree while HtmlTreeState builds it. It listens to the tree construction:
// which element is added where, which one is moved or copied when markup is misnested.
//
// The nodes are linked while the tree grows, because misnested markup moves them. Nearly always
// they are added in document order; then finish() has little to do, else it sorts them. Work and
// memory are linear in the page. After the last node that the limits allow, nodes are neither added
// nor moved, and all text goes into one last text node.
class HtmlTreeNodes {
public:
    // As the last child of `parent`, or before its child `before` if that is not 0.
    struct InsertionPoint {
        std::uint32_t parent = 0;
        std::uint32_t before = 0;
    };

    void begin(HtmlTree& tree, const HtmlTreeLimits& limits);
    void finish();

    // The standard's "appropriate place for inserting a node" (section 13.2.6.1) if `target` is the
    // target. While fostering is on, content that may not be in a table goes before the table.
    InsertionPoint place_in(const OpenElements& open, const OpenElement& target) const;
    void set_fostering(bool is_on) { is_fostering_ = is_on; }

    // These return the new node. After the cut add_element() returns the parent instead, so that
    // the content of the missing element becomes its parent's. An element whose start tag was left
    // out has no tag.
    std::uint32_t add_element(Element element, Namespace space, const HtmlTag* tag,
                              InsertionPoint place);
    void add_comment(std::string_view text, InsertionPoint place);
    void add_instruction(std::string_view target, std::string_view data, InsertionPoint place);
    void add_doctype(const HtmlDoctype& doctype);

    // Adds to the text before the place, if there is some. The text may be a part of a run.
    void add_text(std::string_view text, InsertionPoint place);

    // A copy of an element without its content. The copy of clone() is nowhere in the tree before
    // insert().
    std::uint32_t add_copy(std::uint32_t node, InsertionPoint place);
    std::uint32_t clone(std::uint32_t node);
    // Makes sure that all of the next `clone_count` copies find room, or the tree is cut now.
    void prepare_clones(std::size_t clone_count);
    // Puts a node to a place, away from its old one.
    void insert(std::uint32_t node, InsertionPoint place);
    void take_children(std::uint32_t from, std::uint32_t to);
    void remove(std::uint32_t node);

    // Adds the attributes that the element does not have yet, up to kMergedAttributeCountMax.
    void merge_attributes(std::uint32_t node, const HtmlTag& tag);

    void set_quirks(bool is_quirks) { tree_->is_quirks_ = is_quirks; }
    void set_cut() { tree_->is_cut_ = true; }

    std::size_t memory_bytes() const {
        return links_.capacity() * sizeof(Link) + flat_.capacity() * sizeof(HtmlNode);
    }

private:
    struct Link {
        std::uint32_t first = 0, last = 0;  // Children; 0 means none.
        std::uint32_t next = 0, previous = 0;
    };
    using StoredAttribute = HtmlTree::StoredAttribute;

    std::vector<HtmlNode>& nodes() { return tree_->nodes_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(tree_->nodes_.size()); }
    bool has_room();
    std::uint32_t add(const HtmlNode& node, InsertionPoint place);
    void link(std::uint32_t node, InsertionPoint place);
    void detach(std::uint32_t node);
    void check_order(InsertionPoint place);
    void add_late_text(std::string_view text, InsertionPoint place);
    std::uint32_t store_name(std::string_view name);
    void fill_selected_content();
    std::uint32_t selected_option(std::uint32_t select) const;
    void copy_children(std::uint32_t from, std::uint32_t to);
    std::uint32_t next_inside(std::uint32_t node, std::uint32_t root) const;
    bool has_attribute(std::uint32_t node, std::string_view name) const;
    void store_attributes(HtmlNode& node, const HtmlTag& tag);
    bool store_attribute_name(std::string_view raw, Namespace space, std::uint32_t first);
    void store_attribute_value(std::string_view raw);
    bool is_stored(std::uint32_t first, std::string_view name);
    bool is_in_seen(std::uint32_t first, std::string_view name);
    std::string_view stored_name(const StoredAttribute& attribute) const;
    HtmlNode text_node(NodeKind kind, std::string_view text);
    void finish_merged();
    void set_ends();
    void flatten();
    void continue_text(HtmlNode& text, const HtmlNode& more);

    HtmlTree* tree_ = nullptr;
    HtmlTreeLimits limits_;
    std::vector<Link> links_;
    std::vector<HtmlNode> flat_;  // The other buffer of flatten().
    bool is_fostering_ = false;
    bool is_ordered_ = true;           // Each node was added behind all others.
    bool has_gap_ = false;             // Since the last text after the cut there was an element.
    std::uint32_t late_text_ = 0;      // The text node that takes all text after the cut.
    std::vector<std::uint32_t> seen_;  // A hash table of names in one tag: see is_in_seen().
    std::uint32_t seen_first_ = UINT32_MAX;  // The first attribute in that table.
    struct Merged {
        std::uint32_t node;
        std::vector<StoredAttribute> attributes;
    };
    std::vector<Merged> merged_;                    // Of html and body.
    std::vector<std::uint32_t> selected_contents_;  // All elements of that name.
    std::string scratch_;
};

}  // namespace weft::web
