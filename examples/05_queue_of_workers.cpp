// A crawler's shape: workers take items from a queue and may put new ones; join() knows when all
// is done.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

// Each number leads to its two halves, as a page leads to others.
aio::Co<> work(aio::Queue<int>& queue, int& pages) {
    for (;;) {
        const int number = co_await queue.get();
        co_await aio::sleep(1ms);
        ++pages;
        if (number > 1) {
            queue.put_nowait(number / 2);
            queue.put_nowait(number - number / 2);
        }
        queue.task_done();
    }
}

aio::Co<> crawl() {
    aio::Queue<int> queue;
    int pages = 0;
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        for (int i = 0; i < 16; ++i) group.create_task(work(queue, pages), "worker");
        queue.put_nowait(100);
        co_await queue.join();
        group.cancel();  // The workers wait for more in vain.
    });
    fmt::print("{} pages\n", pages);
}

int main() {
    aio::run(crawl());
}
