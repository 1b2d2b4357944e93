#pragma once

#include "aio/co.h"
#include "crawl/config.h"

namespace weft::cli {

struct CrawlDisplay {
    bool progress = true;
    bool report = true;
};

// One crawl with its progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(crawl::Config config, CrawlDisplay display);

}  // namespace weft::cli
