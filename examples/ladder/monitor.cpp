// Two fetchers, and a monitor that looks at their numbers once a second. The numbers belong
// together; no lock keeps them so, and yet nobody ever sees one changed and the other not: tasks
// give way only where they co_await.

#include <fmt/format.h>

#include "aio/aio.h"

using namespace weft;

struct Progress {
    int pages = 0;
    int bytes = 0;
};

aio::Co<> fetch(Progress& progress, int pages, Duration time) {
    for (int i = 0; i < pages; ++i) {
        co_await aio::sleep(time);  // Here others run;
        ++progress.pages;           // from here to the next co_await, nobody does.
        progress.bytes += 1000;
    }
}

aio::Co<> monitor(const Progress& progress) {
    for (int second = 1;; ++second) {
        co_await aio::sleep(1s);
        const bool fits = progress.bytes == 1000 * progress.pages;
        fmt::print("{} s: {:2} pages, {:5} bytes{}\n", second, progress.pages, progress.bytes,
                   fits ? "" : ": half of an update!");
    }
}

aio::Co<> show() {
    Progress progress;
    aio::Task<> watching = aio::create_task(monitor(progress));
    co_await aio::gather(fetch(progress, 10, 300ms), fetch(progress, 10, 470ms));
    watching.cancel();
    fmt::print("done: {} pages\n", progress.pages);
}

int main() {
    aio::SimulatedLoop().run(show());
}
