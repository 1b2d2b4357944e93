#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace weft::crawl {

// Returns the new text of a reference, or the same text. The argument is as written in the
// document: relative or absolute, with white space around it.
using ReferenceRewriter = std::function<std::string(std::string_view reference)>;

// How a browser will parse the page: it decides by the file's extension in the mirror.
enum class Markup : std::uint8_t { html, xml };

// Returns the page with every reference to another resource replaced: in attributes, srcset,
// refreshes, style elements and style attributes. <base href> becomes `own_name`, which makes
// relative references relative to the file itself. Integrity attributes are disabled, because they
// do not match rewritten files. Everything else stays byte for byte. `page` is UTF-8.
//
// A browser finds the same tags and attributes in the result as in `page` (H102). A new value is
// always quoted and escaped, and tags are recognised as in a browser with scripts enabled. A value
// with a raw '<' or '>' is not changed: so no edit removes or adds one, and what another parser
// takes for a comment or a script still ends where it ended.
std::string rewrite_html(std::string_view page, std::string_view own_name,
                         const ReferenceRewriter& rewrite, Markup markup = Markup::html);

// Returns the style sheet with its references replaced. A new reference is a quoted string in which
// everything is escaped that could end the string or a style element. `sheet` is UTF-8.
std::string rewrite_css(std::string_view sheet, const ReferenceRewriter& rewrite);

}  // namespace weft::crawl
