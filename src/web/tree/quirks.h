#pragma once

#include "web/markup/html_doctype.h"

namespace weft::web {

// Whether a page with this doctype is in quirks mode (HTML standard, section 13.2.6.4.1). "Limited
// quirks mode" is not told apart, because it does not change the tree.
bool means_quirks(const HtmlDoctype& doctype);

}  // namespace weft::web
