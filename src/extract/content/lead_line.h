#pragma once

#include <cstdint>

#include "web/tree/html_tree.h"

namespace weft::extract {

// Whether the text of the subtree begins like a line that leads elsewhere ("Read more: ...") or
// that says whose picture it is, in one of eight languages. Looks at its first nodes only.
bool is_lead_line(const web::HtmlTree& tree, std::uint32_t i);

}  // namespace weft::extract
