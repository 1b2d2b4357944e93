#pragma once

#include "aio/task/co.h"
#include "crawl/run/config.h"
#include "crawl/run/hooks.h"
#include "crawl/run/statistics.h"

namespace weft::crawl {

// A whole crawl for a program: from the seeds to the end, its queue in memory.
//
//     crawl::Config config;
//     config.seeds.push_back(url);
//     crawl::Hooks hooks;
//     hooks.on_page = [&](crawl::Page& page) -> aio::Co<> { ... co_return; };
//     crawl::Statistics numbers = co_await crawl::run(config, std::move(hooks));
//
// Nothing is archived; for that, and to stop it, use Crawler.
aio::Co<Statistics> run(Config config, Hooks hooks);

}  // namespace weft::crawl
