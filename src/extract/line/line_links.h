#pragma once

#include <cstddef>
#include <vector>

#include "extract/extract.h"
#include "extract/kept_nodes.h"
#include "web/tree/html_tree.h"
#include "web/url/url.h"

namespace weft::extract {

// The links of a page after these are left out. The second bound is on their texts in all: a page
// may have a long base URL and many short references.
inline constexpr std::size_t kLineLinksMax = 10'000;
inline constexpr std::size_t kLineLinkBytesMax = std::size_t{2} << 20;

// Appends the links of all a and area elements, inside and outside of the content, in document
// order. Left out are those within the page ("#top") and those that link_target() refuses. `base`
// may be null. False if a bound was reached and links are left out.
bool read_line_links(const web::HtmlTree& tree, const KeptNodes& kept, const web::Url* base,
                     std::vector<PageLink>& out);

}  // namespace weft::extract
