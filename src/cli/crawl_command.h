#pragma once

#include "aio/co.h"
#include "cli/progress.h"
#include "crawl/config.h"
#include "crawl/folder.h"

namespace weft::cli {

// One crawl from the command line's point of view.
struct CrawlJob {
    crawl::Config config;
    crawl::FolderOptions folder;
    std::size_t shard_count = 1;
    bool is_resumed = false;
    bool fails_on_broken = false;
    ProgressForm progress = parse_progress("");
    bool makes_wacz = false;
    bool shows_report = true;
};

// Runs it with its progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(CrawlJob job);

}  // namespace weft::cli
