#pragma once

#include "aio/task/co.h"
#include "cli/options/crawl_options.h"
#include "cli/options/settings.h"

namespace weft::cli {

// Runs a crawl whose job is complete, with progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(CrawlJob job);

// `resume`: sets the options that the command line leaves open to the values with which the crawl
// in the folder was started. Options that a folder does not keep come from `sources`. Throws
// UsageError if there is no crawl.
void settle_resume(CLI::App& command, CrawlJob& job, const SettingSources& sources);

// The same for `recrawl`: a new crawl that fetches only what has changed since the one in the
// folder.
void settle_recrawl(CLI::App& command, CrawlJob& job, const SettingSources& sources);

// Runs a new crawl and shows the report. Returns the exit status. Throws UsageError for bad
// arguments.
int run_crawl(const CLI::App& command, CrawlJob& job);

// Continues a crawl. Returns the exit status. Throws UsageError for bad arguments.
int run_resume(const CLI::App& command, CrawlJob& job);

}  // namespace weft::cli
