#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

// What to use in weft in place of an option of wget or Browsertrix that a crawl does not have, such
// as "-k" or "--convert-links". Empty if there is no advice. Letters that were typed together are
// looked up one by one.
std::string_view way_here(std::string_view option);

}  // namespace weft::cli
