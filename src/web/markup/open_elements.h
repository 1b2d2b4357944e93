#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/limits.h"
#include "web/markup/html_names.h"

namespace weft::web {

// What the standard's lists say of an element.
enum ElementTrait : std::uint16_t {
    kSpecial = 1,
    kScopeEnd = 2,                    // "has an element in scope" looks no further.
    kButtonScopeEnd = 4,              // Nor does "in button scope",
    kListScopeEnd = 8,                // "in list item scope",
    kTableScopeEnd = 16,              // "in table scope".
    kImpliedEnd = 32,                 // Its end tag may be left out anywhere,
    kImpliedEndThoroughly = 64,       // or at least at the end of a template.
    kHtmlIntegrationPoint = 128,      // HTML goes on inside this foreign element,
    kMathTextIntegrationPoint = 256,  // but for <mglyph> and <malignmark>.
    kFormatting = 512,                // <a>, <b>, <font> and their like.
    kForeignBreakout = 1024,          // Its start tag ends foreign content.
};
std::uint16_t traits_of(Element element, Namespace space);

// An element on the stack of open elements: its name, and who it is among others of that name.
struct OpenElement {
    std::uint32_t name = 0;  // Equal for equal names; see name_key().
    std::uint32_t serial = 0;
    Element element = Element::unknown;
    Namespace space = Namespace::html;
    std::uint16_t traits = 0;

    bool is_html(Element wanted) const { return element == wanted && space == Namespace::html; }
};

// A number for an element's name: the Element of a known one, a hash of any other.
std::uint32_t name_key(Element element, std::string_view raw_name);

// The standard's stack of open elements, without the elements. Never deeper than
// kOpenElementDepthMax: there a new element takes the place of the current one, as if that had been
// closed, so that a page of a million nested tags costs no more than a flat one.
class OpenElements {
public:
    bool is_empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const OpenElement& current() const { return elements_[size_ - 1]; }
    const OpenElement& operator[](std::size_t i) const { return elements_[i]; }

    bool has(Element element) const { return html_count_[index(element)] > 0; }
    bool current_is(Element element) const { return size_ > 0 && current().is_html(element); }

    // Returns the new element's serial number, never 0.
    std::uint32_t push(Element element, Namespace space, std::uint32_t name);
    void restore(OpenElement element);  // A copy of one that was open before.
    void add_current_trait(ElementTrait trait);
    void pop() { count(elements_[--size_], -1); }
    void pop_to(std::size_t size);
    void pop_until(Element element);  // That one is popped too. REQUIRES: it is open.
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

    // Where the element of that serial number is, or npos.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    std::size_t find(std::uint32_t serial) const;

    // How many elements were looked at in searches: the proof that they are bounded.
    std::uint64_t step_count() const { return step_count_; }

private:
    static std::size_t index(Element element) { return static_cast<std::size_t>(element); }
    void count(const OpenElement& element, int change) {
        if (element.space != Namespace::html) return;
        std::uint16_t& n = html_count_[index(element.element)];
        n = static_cast<std::uint16_t>(n + change);
    }

    std::array<OpenElement, limits::kOpenElementDepthMax> elements_{};
    std::size_t size_ = 0;
    std::array<std::uint16_t, 256> html_count_{};  // How many HTML elements of each name are open.
    std::uint32_t last_serial_ = 0;
    mutable std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
