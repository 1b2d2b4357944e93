#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace weft::crawl {

// What takes the place of a reference, as it was written in a document (white space around it,
// relative or not): another one, or the same.
using ReferenceRewriter = std::function<std::string(std::string_view reference)>;

// How a browser reads the page: by the file's ending, as the mirror names it.
enum class Markup : std::uint8_t { html, xml };

// The page with every reference to another resource replaced: in attributes, srcset, refreshes,
// style elements and attributes. <base href> becomes `own_name`, which makes relative references
// relative to the file itself; integrity attributes, which would not hold for rewritten files, are
// made void. All else stays byte for byte. `page` is UTF-8.
//
// A browser finds the same tags and attributes in the result as in `page` (H102): a new value is
// always in quotes and escaped, and what is a tag is decided as a browser with scripts decides it.
// A value with a raw '<' or '>' is left as it is: so no edit takes or adds one, and text that some
// other reader sees as a comment or as a script ends where it ended.
std::string rewrite_html(std::string_view page, std::string_view own_name,
                         const ReferenceRewriter& rewrite, Markup markup = Markup::html);

// The style sheet with its references replaced; each as a string in quotes, all that could end the
// string or a style element escaped. `sheet` is UTF-8.
std::string rewrite_css(std::string_view sheet, const ReferenceRewriter& rewrite);

}  // namespace weft::crawl
