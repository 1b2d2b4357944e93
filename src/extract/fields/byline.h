#pragma once

#include <string>
#include <string_view>

#include "extract/fields/metadata.h"

namespace weft::extract {

// The authors of a page; see read_metadata().
std::string choose_byline(const MetadataSources& from, std::string_view site);

// The names in a byline: without "By" (in several languages), a date or a role after them. Empty if
// it is a URL, has more than kBylineCharsMax bytes, or no letter.
std::string clean_byline(std::string_view text);

}  // namespace weft::extract
