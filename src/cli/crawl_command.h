#pragma once

#include <string>
#include <vector>

#include "aio/co.h"
#include "cli/progress.h"
#include "crawl/config.h"
#include "crawl/folder.h"

namespace weft::cli {

// One crawl from the command line's point of view.
struct CrawlJob {
    crawl::Config config;
    crawl::FolderOptions folder;
    bool is_resumed = false;
    bool fails_on_broken = false;
    std::vector<std::string> logs;  // See CrawlLog::names().
    std::string metrics;            // Where to serve them; empty: nowhere.
    ProgressForm progress = parse_progress("");
    bool shows_report = true;
};

// Runs it with its progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(CrawlJob job);

}  // namespace weft::cli
