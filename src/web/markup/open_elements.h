#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/limits.h"
#include "web/markup/html_names.h"

namespace weft::web {

// The lists of the standard that an element is in.
enum ElementTrait : std::uint16_t {
    kSpecial = 1,
    kScopeEnd = 2,                    // "Has an element in scope" stops here.
    kButtonScopeEnd = 4,              // So does "in button scope".
    kListScopeEnd = 8,                // So does "in list item scope".
    kTableScopeEnd = 16,              // "In table scope" stops here.
    kImpliedEnd = 32,                 // "Generate implied end tags" closes it.
    kImpliedEndThoroughly = 64,       // At the end of a template it is closed, too.
    kHtmlIntegrationPoint = 128,      // The content of this foreign element is HTML.
    kMathTextIntegrationPoint = 256,  // So is this, except <mglyph> and <malignmark>.
    kFormatting = 512,                // <a>, <b>, <font> and similar elements.
    kForeignBreakout = 1024,          // Its start tag ends foreign content.
};
std::uint16_t traits_of(Element element, Namespace space);

// The traits of HTML elements.
extern const std::array<std::uint16_t, 256> kHtmlTraits;

// An element on the stack of open elements. The serial number identifies it among elements of the
// same name.
struct OpenElement {
    std::uint32_t name = 0;  // Equal for equal names; see name_key().
    std::uint32_t serial = 0;
    Element element = Element::unknown;
    Namespace space = Namespace::html;
    std::uint16_t traits = 0;
    std::uint32_t node = 0;  // In HtmlTreeNodes, if a tree is built. 0 if it is not there yet.

    bool is_html(Element wanted) const { return element == wanted && space == Namespace::html; }
};

// A number for an element's name: the Element of a known name, a hash of any other.
std::uint32_t name_key(Element element, std::string_view raw_name);

// The standard's stack of open elements, with only the names of the elements. It is never deeper
// than kOpenElementDepthMax: at that depth a new element replaces the current one, as if that had
// been closed. So a page of a million nested tags costs no more than a flat one.
class OpenElements {
public:
    bool is_empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const OpenElement& current() const { return elements_[size_ - 1]; }
    const OpenElement& operator[](std::size_t i) const { return elements_[i]; }

    std::uint16_t count(Element element) const { return html_count_[index(element)]; }
    bool has(Element element) const { return count(element) > 0; }
    bool current_is(Element element) const { return size_ > 0 && current().is_html(element); }

    // Returns the new element's serial number, never 0.
    std::uint32_t push(Element element, Namespace space, std::uint32_t name,
                       std::uint32_t node = 0);

    // The same for an HTML element with a known name. REQUIRES: has_room(1).
    void push_known(Element element) {
        if (++last_serial_ == 0) ++last_serial_;
        elements_[size_++] = {static_cast<std::uint32_t>(element),
                              last_serial_,
                              element,
                              Namespace::html,
                              kHtmlTraits[index(element)],
                              0};
        ++html_count_[index(element)];
    }
    bool has_room(std::size_t count) const { return elements_.size() - size_ >= count; }
    void restore(OpenElement element);  // Pushes a copy of an element that was open before.

    // At the limit, closes the current element, as push() and restore() do.
    void make_room() {
        if (size_ == elements_.size()) pop();
    }
    void set_node(std::size_t i, std::uint32_t node) { elements_[i].node = node; }
    void add_current_trait(ElementTrait trait);
    void pop() { add_to_count(elements_[--size_], -1); }
    void pop_to(std::size_t size);
    void pop_until(Element element);  // Pops it too. REQUIRES: it is open.
    void erase(std::size_t i);
    void insert(std::size_t i, OpenElement element);
    void clear();

    bool has_in_scope(Element element, std::uint16_t scope_ends = kScopeEnd) const;
    bool has_any_in_scope(std::span<const Element> any, std::uint16_t scope_ends) const;
    bool has_in_button_scope(Element element) const {
        return has_in_scope(element, kScopeEnd | kButtonScopeEnd);
    }
    bool has_in_table_scope(Element element) const { return has_in_scope(element, kTableScopeEnd); }

    void generate_implied_end_tags(Element except = Element::unknown);
    void generate_implied_end_tags_thoroughly();

    // The index of the element with that serial number, or npos.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    std::size_t find(std::uint32_t serial) const;

    // How many elements the searches have looked at. Tests use it to prove that they are bounded.
    std::uint64_t step_count() const { return step_count_; }

private:
    static std::size_t index(Element element) { return static_cast<std::size_t>(element); }
    void add_to_count(const OpenElement& element, int change) {
        if (element.space != Namespace::html) return;
        std::uint16_t& n = html_count_[index(element.element)];
        n = static_cast<std::uint16_t>(n + change);
    }

    std::array<OpenElement, limits::kOpenElementDepthMax> elements_{};
    std::size_t size_ = 0;
    // How many HTML elements of each name are open. Most searches end here, without a loop.
    std::array<std::uint16_t, 256> html_count_{};
    std::uint32_t last_serial_ = 0;
    mutable std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
