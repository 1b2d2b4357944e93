#pragma once

#include <cstdint>
#include <string>

#include "web/tree/html_tree.h"

namespace weft::extract {

// Appends a node and its content as HTML (HTML standard, section 13.3).
void append_outer_html(const web::HtmlTree& tree, std::uint32_t node, std::string& out);

}  // namespace weft::extract
