#pragma once

#include <string>
#include <string_view>

#include "extract/fields/metadata.h"

namespace weft::extract {

// The title of a page; see read_metadata().
std::string choose_title(const MetadataSources& from, std::string_view site);

// "Title" of "Title | Site" or "Site - Title". If a part is the site's name, the rest is the title;
// else the last part is taken for the site, if it is shorter than the rest.
std::string without_site_name(std::string_view title, std::string_view site);

}  // namespace weft::extract
