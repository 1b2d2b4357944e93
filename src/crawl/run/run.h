#pragma once

#include "aio/task/co.h"
#include "crawl/run/config.h"
#include "crawl/run/hooks.h"
#include "crawl/run/statistics.h"

namespace weft::crawl {

// Runs a whole crawl from the seeds to the end, with the frontier in memory.
//
//     crawl::Config config;
//     config.seeds.push_back(url);
//     crawl::Hooks hooks;
//     hooks.on_page = [&](crawl::Page& page) -> aio::Co<> { ... co_return; };
//     crawl::Statistics numbers = co_await crawl::run(config, std::move(hooks));
//
// Nothing is archived. To archive pages or to stop a crawl, use Crawler.
aio::Co<Statistics> run(Config config, Hooks hooks);

}  // namespace weft::crawl
