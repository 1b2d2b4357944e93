#pragma once

#include <string>

#include "aio/co.h"
#include "crawl/config.h"
#include "crawl/folder.h"

namespace weft::cli {

// One crawl from the command line's point of view.
struct CrawlJob {
    crawl::Config config;
    crawl::FolderOptions folder;
    bool is_resumed = false;
    bool retries_failed = false;  // Of a resumed one.
    std::string cookie_file;      // Where cookies are kept after; empty: nowhere.
    bool fails_on_broken = false;
    bool shows_progress = true;
    bool shows_report = true;
};

// Runs it with its progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(CrawlJob job);

}  // namespace weft::cli
