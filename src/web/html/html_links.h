#pragma once

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

}  // namespace weft::web
