#include "web/markup/open_elements.h"

#include <algorithm>

#include "base/assert.h"
#include "base/bytes.h"

namespace weft::web {
namespace {

using enum Element;
using Traits = std::array<std::uint16_t, 256>;

constexpr void add(Traits& traits, std::initializer_list<Element> elements, std::uint16_t trait) {
    for (const Element element : elements) traits[static_cast<std::size_t>(element)] |= trait;
}

// The lists of sections 13.2.4.2 (special, formatting, scopes), 13.2.6.3 (implied end tags) and
// 13.2.6.5 (start tags that end foreign content).
constexpr Traits kTraitsOfHtml = [] {
    Traits traits{};
    add(traits,
        {address,   applet,   area,     article, aside,   base,     basefont,   bgsound, blockquote,
         body,      br,       button,   caption, center,  col,      colgroup,   dd,      details,
         dir,       div,      dl,       dt,      embed,   fieldset, figcaption, figure,  footer,
         form,      frame,    frameset, h1,      h2,      h3,       h4,         h5,      h6,
         head,      header,   hgroup,   hr,      html,    iframe,   img,        input,   keygen,
         li,        link,     listing,  main,    marquee, menu,     meta,       nav,     noembed,
         noframes,  noscript, object,   ol,      p,       param,    plaintext,  pre,     script,
         search,    section,  select,   source,  style,   summary,  table,      tbody,   td,
         template_, textarea, tfoot,    th,      thead,   title,    tr,         track,   ul,
         wbr,       xmp},
        kSpecial);
    add(traits, {applet, caption, html, table, td, th, marquee, object, select, template_},
        kScopeEnd);
    add(traits, {button}, kButtonScopeEnd);
    add(traits, {ol, ul}, kListScopeEnd);
    add(traits, {html, table, template_}, kTableScopeEnd);
    add(traits, {dd, dt, li, optgroup, option, p, rb, rp, rt, rtc},
        kImpliedEnd | kImpliedEndThoroughly);
    add(traits, {caption, colgroup, tbody, td, tfoot, th, thead, tr}, kImpliedEndThoroughly);
    add(traits, {a, b, big, code, em, font, i, nobr, s, small, strike, strong, tt, u}, kFormatting);
    add(traits, {b,     big,   blockquote, body,   br,   center, code,  dd, div,  dl,   dt,
                 em,    embed, h1,         h2,     h3,   h4,     h5,    h6, head, hr,   i,
                 img,   li,    listing,    menu,   meta, nobr,   ol,    p,  pre,  ruby, s,
                 small, span,  strong,     strike, sub,  sup,    table, tt, u,    ul,   var},
        kForeignBreakout);
    return traits;
}();

// Section 13.2.6 names the integration points; 13.2.4.2 lists the same elements as special.
constexpr Traits kSvgTraits = [] {
    Traits traits{};
    add(traits, {foreignobject, desc, title}, kSpecial | kScopeEnd | kHtmlIntegrationPoint);
    return traits;
}();

constexpr Traits kMathTraits = [] {
    Traits traits{};
    add(traits, {mi, mo, mn, ms, mtext}, kSpecial | kScopeEnd | kMathTextIntegrationPoint);
    add(traits, {annotation_xml}, kSpecial | kScopeEnd);
    return traits;
}();

}  // namespace

constinit const std::array<std::uint16_t, 256> kHtmlTraits = kTraitsOfHtml;

std::uint16_t traits_of(Element element, Namespace space) {
    const Traits& traits = space == Namespace::html  ? kHtmlTraits
                           : space == Namespace::svg ? kSvgTraits
                                                     : kMathTraits;
    return traits[static_cast<std::size_t>(element)];
}

std::uint32_t name_key(Element element, std::string_view raw_name) {
    if (element != unknown) return static_cast<std::uint32_t>(element);
    std::uint32_t hash = 2166136261u;
    for (const char c : raw_name) {
        hash = (hash ^ static_cast<unsigned char>(to_lower(c))) * 16777619u;
    }
    return hash | 0x100u;  // Above all numbers of known names.
}

// The serial number 0 means a marker or none, so it is left out when the counter wraps around.
std::uint32_t OpenElements::push(Element element, Namespace space, std::uint32_t name,
                                 std::uint32_t node) {
    if (++last_serial_ == 0) ++last_serial_;
    restore({name, last_serial_, element, space, traits_of(element, space), node});
    return last_serial_;
}

// At the limit the current element is closed first.
void OpenElements::restore(OpenElement element) {
    make_room();
    elements_[size_++] = element;
    add_to_count(element, 1);
}

void OpenElements::add_current_trait(ElementTrait trait) {
    elements_[size_ - 1].traits |= trait;
}

void OpenElements::pop_to(std::size_t size) {
    while (size_ > size) pop();
}

void OpenElements::pop_until(Element element) {
    while (!is_empty()) {
        const bool was_it = current().is_html(element);
        pop();
        if (was_it) return;
    }
}

void OpenElements::erase(std::size_t i) {
    add_to_count(elements_[i], -1);
    std::copy(elements_.begin() + i + 1, elements_.begin() + size_, elements_.begin() + i);
    --size_;
}

void OpenElements::insert(std::size_t i, OpenElement element) {
    WEFT_ASSERT(size_ < elements_.size());
    std::copy_backward(elements_.begin() + i, elements_.begin() + size_,
                       elements_.begin() + size_ + 1);
    elements_[i] = element;
    ++size_;
    add_to_count(element, 1);
}

void OpenElements::clear() {
    size_ = 0;
    html_count_.fill(0);
    step_count_ = 0;
}

bool OpenElements::has_in_scope(Element element, std::uint16_t scope_ends) const {
    return has_any_in_scope({&element, 1}, scope_ends);
}

bool OpenElements::has_any_in_scope(std::span<const Element> any, std::uint16_t scope_ends) const {
    // Mostly no such element is open at all, and the counts say so without a search.
    if (std::ranges::none_of(any, [&](Element element) { return has(element); })) return false;
    for (std::size_t i = size_; i-- > 0;) {
        ++step_count_;
        const OpenElement& open = elements_[i];
        if (open.space == Namespace::html && std::ranges::find(any, open.element) != any.end())
            return true;
        if ((open.traits & scope_ends) != 0) return false;
    }
    return false;
}

void OpenElements::generate_implied_end_tags(Element except) {
    while (!is_empty() && (current().traits & kImpliedEnd) != 0 && !current().is_html(except))
        pop();
}

void OpenElements::generate_implied_end_tags_thoroughly() {
    while (!is_empty() && (current().traits & kImpliedEndThoroughly) != 0) pop();
}

std::size_t OpenElements::find(std::uint32_t serial) const {
    for (std::size_t i = size_; i-- > 0;) {
        ++step_count_;
        if (elements_[i].serial == serial) return i;
    }
    return npos;
}

}  // namespace weft::web
