#pragma once

#include "cli/options/crawl_options.h"

namespace weft::cli {

// `weft repair DIR`: makes the folder of a crawl whole again and says what was done. Throws
// UsageError if another process works on it.
int run_repair(CrawlArguments& arguments);

}  // namespace weft::cli
