#pragma once

#include <cstdint>
#include <string_view>

namespace weft::web {

// The element names that have rules of their own in HTML parsing or link extraction. Every other
// name is `unknown`, and parsing treats all of those in the same way. An enumerator that would be a
// C++ keyword or could be confused with something else ends in an underscore.
enum class Element : std::uint8_t {
    unknown,
#define WEFT_ELEMENT(enumerator, name) enumerator,
#include "web/markup/html_names.inc"
};

enum class Namespace : std::uint8_t { html, svg, mathml };

// Ignores ASCII case: "TextArea" is Element::textarea. The time is bounded by the length of the
// longest known name.
Element element_of(std::string_view name);

// The name in lower case, in static storage. Empty for `unknown`.
std::string_view name_of(Element element);

}  // namespace weft::web
