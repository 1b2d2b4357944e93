#pragma once

#include <string>

#include "extract/kept_nodes.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// Appends the kept nodes as plain text: white space is collapsed, blocks are apart by an empty
// line, items and rows by a line feed, cells by a tab; the text of `pre` stays as it is. It ends
// with a line feed, unless it is empty. Time is linear in the size of the tree.
void write_plain_text(const web::HtmlTree& tree, const KeptNodes& kept, std::string& out);

}  // namespace weft::extract
