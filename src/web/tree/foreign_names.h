#pragma once

#include <string_view>

#include "web/markup/html_names.h"

// Names in SVG and MathML that have capitals, though HTML is read in lower case (HTML standard,
// section 13.2.6.1 "adjust SVG attributes" and 13.2.6.5 for elements).
namespace weft::web {

// Both return the argument if the name has no capitals. REQUIRES: it is in lower case.
std::string_view svg_element_name(std::string_view lower);
std::string_view foreign_attribute_name(std::string_view lower, Namespace space);

}  // namespace weft::web
