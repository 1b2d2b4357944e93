#pragma once

#include "cli/options/crawl_options.h"
#include "cli/options/settings.h"

namespace weft::cli {

// Sets the options to those of the crawl in the folder. Damaged settings are restored first.
void settle_repair(CLI::App& command, CrawlJob& job, const SettingSources& sources);

// `weft repair DIR`: repairs the folder of a crawl and prints what was done. Throws UsageError if
// another process uses the folder.
int run_repair(CrawlJob& job);

}  // namespace weft::cli
