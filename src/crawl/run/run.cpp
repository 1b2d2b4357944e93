#include "crawl/run/run.h"

#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"

namespace weft::crawl {

// The frame of this coroutine owns everything that the crawler refers to.
aio::Co<Statistics> run(Config config, Hooks hooks) {
    frontier::MemoryFrontier frontier(config.max_per_host);
    Crawler crawler(config, frontier, nullptr, std::move(hooks));
    co_await crawler.run();
    co_return crawler.statistics();
}

}  // namespace weft::crawl
