#pragma once

#include <cstdint>

#include "web/tree/html_tree.h"

namespace weft::extract {

// What an element is in the text of a page.
enum class Flow : std::uint8_t {
    inline_text,  // A part of a line: also unknown elements.
    block,        // Its text is apart from the text around it.
    line_break,   // br
    preformatted,
    heading,
    list,
    item,
    quote,
    rule,  // hr
    table,
    row,
    cell,
    image,
    hidden,  // Neither it nor its content is text: scripts, forms' controls, SVG.
};
Flow flow_of(const web::HtmlNode& node);

// 1 to 6. REQUIRES: the flow of the node is `heading`.
int heading_level(const web::HtmlNode& node);

}  // namespace weft::extract
