#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "web/tree/html_tree.h"

namespace weft::extract {

// The text with white space (U+00A0 too) as single spaces and none at the ends, cut before `max`
// bytes, at a character's edge.
std::string collapsed(std::string_view text, std::size_t max);

// Likewise the text of a subtree, without scripts and styles. Block elements and br are white
// space.
std::string field_text(const web::HtmlTree& tree, std::uint32_t i, std::size_t max);

// Whether `text` has `word`, which is in lower case, in any case of ASCII.
bool contains_word(std::string_view text, std::string_view word);

}  // namespace weft::extract
