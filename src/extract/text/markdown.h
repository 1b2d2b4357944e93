#pragma once

#include <string>
#include <string_view>

#include "extract/kept_nodes.h"
#include "web/tree/html_tree.h"
#include "web/url/url.h"

namespace weft::extract {

// Appends the kept nodes as Markdown: CommonMark with the tables and the strikethrough of GitHub.
// Headings are `#`, bullets `-`, emphasis `*`, code is fenced with the language of its class. A
// character is escaped only where it would mean something else. The text ends with a line feed,
// unless it is empty.
//
// URLs are resolved against `base`; if that is null, they stay as written. Links to `javascript:`
// and `data:` become text, images from there are left out. Tables that are not rectangular, or that
// have blocks in their cells, become lines. Time and memory are linear in the size of the tree.
void write_markdown(const web::HtmlTree& tree, const KeptNodes& kept, const web::Url* base,
                    std::string& out);

}  // namespace weft::extract
