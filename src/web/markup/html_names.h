#pragma once

#include <cstdint>
#include <string_view>

namespace weft::web {

// The element names that HTML parsing or link extraction treats in its own way. Every other name is
// `unknown`: parsing treats all of those alike. Enumerators that would be C++ keywords or could be
// mistaken for something else end in an underscore.
enum class Element : std::uint8_t {
    unknown,
#define WEFT_ELEMENT(enumerator, name) enumerator,
#include "web/markup/html_names.inc"
};

enum class Namespace : std::uint8_t { html, svg, mathml };

// ASCII case-insensitive: "TextArea" is Element::textarea. Takes time in the length of the longest
// known name at most.
Element element_of(std::string_view name);

// Lower case, static storage; empty for `unknown`.
std::string_view name_of(Element element);

}  // namespace weft::web
