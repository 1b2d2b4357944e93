#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "web/tree/html_tree.h"
#include "web/url/url.h"

namespace weft::extract {

// The microdata of a page as JSON, in the form of the HTML standard: a list of the items at the
// top, each {"type":[...],"id":...,"properties":{NAME:[VALUE...]}}; a value is a text or an item.
// Types and ids are left out where there are none. URLs are resolved against `base`, which may be
// null. Empty if the page has no microdata.
//
// itemref is followed. An item that holds itself has the value "ERROR" in that place, as in the
// standard.
std::string microdata_json(const web::HtmlTree& tree, const web::Url* base);

// Items at the top after these many bytes are left out; so are items in more levels of items. Nodes
// are visited once for each item that refers to them, up to the last bound in all.
inline constexpr std::size_t kMicrodataBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kMicrodataDepthMax = 64;
inline constexpr std::size_t kMicrodataStepsMax = 2'000'000;

}  // namespace weft::extract
