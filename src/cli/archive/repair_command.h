#pragma once

#include "cli/options/crawl_options.h"

namespace weft::cli {

// `weft repair DIR`: repairs the folder of a crawl and prints what was done. Throws UsageError if
// another process uses the folder.
int run_repair(CrawlArguments& arguments);

}  // namespace weft::cli
