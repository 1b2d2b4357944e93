#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "web/markup/html_names.h"

namespace weft::web {

// An attribute that refers to other resources, and the form of its value.
struct LinkAttribute {
    enum class Form : std::uint8_t { url, srcset, url_list };

    Element element;
    std::string_view tag;  // As reported: "a", "svg:a".
    std::string_view name;
    Form form = Form::url;
};

// The link attributes of an element. Most elements have none.
std::span<const LinkAttribute> link_attributes(Element element, Namespace space);

// The first letters of the attributes of an HTML element that are links, as SimpleTag has them.
extern const std::array<std::uint32_t, 256> kLinkLetters;
inline std::uint32_t link_letters(Element element) {
    return kLinkLetters[static_cast<std::size_t>(element)];
}

}  // namespace weft::web
