#pragma once

#include "aio/co.h"
#include "crawl/config.h"
#include "crawl/hooks.h"
#include "crawl/statistics.h"

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
