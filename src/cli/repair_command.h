#pragma once

#include "cli/crawl_options.h"

namespace CLI {
class App;
}

namespace weft::cli {

// `weft repair DIR`: makes the folder of a crawl whole again and says what was done. Throws
// UsageError if there is no crawl in it, or another process works on it.
int run_repair(CLI::App& command, const CLI::App& app, CrawlArguments& arguments);

}  // namespace weft::cli
