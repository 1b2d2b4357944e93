#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weft::crawl {

// What takes the place of a reference, as it was written in a document (white space around it,
// relative or not): another one, or the same.
using ReferenceRewriter = std::function<std::string(std::string_view reference)>;

// The page with every reference to another resource replaced: in attributes, srcset, refreshes,
// style elements and attributes. <base href> becomes `own_name`, which makes relative references
// relative to the file itself; integrity attributes, which would not hold for rewritten files, are
// made void. All else stays byte for byte. `page` is UTF-8.
std::string rewrite_html(std::string_view page, std::string_view own_name,
                         const ReferenceRewriter& rewrite);

// The style sheet with its references replaced.
std::string rewrite_css(std::string_view sheet, const ReferenceRewriter& rewrite);

}  // namespace weft::crawl
