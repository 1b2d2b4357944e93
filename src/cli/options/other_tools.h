#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

// What to do here in place of an option of wget or Browsertrix that a crawl does not have, such as
// "-k" or "--convert-links"; empty where nothing comes to mind. Letters that were written together
// are looked at one by one.
std::string_view way_here(std::string_view option);

}  // namespace weft::cli
