#pragma once

#include <string>

#include "crawl/config.h"

namespace weft::cli {

// The configuration of the crawl in this folder, as it was begun with. Throws UsageError if there
// is none.
crawl::Config kept_config(const std::string& folder);

}  // namespace weft::cli
