#include "cli/progress.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "aio/loop.h"
#include "aio/sleep.h"
#include "base/units.h"
#include "cli/say.h"

namespace weft::cli {
namespace {

constexpr Duration kTerminalInterval = 200ms;
constexpr Duration kPlainInterval = 10s;

std::string line_of(const crawl::Crawler& crawler) {
    const crawl::Statistics& numbers = crawler.statistics();
    const frontier::Counts counts = crawler.counts();
    const Duration elapsed = aio::EventLoop::running().time() - numbers.started;
    const double seconds = std::max(0.001, std::chrono::duration<double>(elapsed).count());
    std::string line = fmt::format(
        "{} done, {:.0f}/s, {}, {} waiting, {} under way", human_count(numbers.outcome_count),
        static_cast<double>(numbers.outcome_count) / seconds, human_bytes(numbers.content_bytes),
        human_count(counts.waiting), human_count(counts.lent));
    if (numbers.failed_count > 0)
        line += fmt::format(", {} failed", human_count(numbers.failed_count));
    return line;
}

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

// Leaves an empty line behind, however the scope ends.
class LiveLine {
public:
    ~LiveLine() { show(""); }
    void show(const std::string& text) {
        say(stderr, "\r\x1b[K" + text.substr(0, terminal_width() - 1));
    }
};

aio::Co<> renew_line(const crawl::Crawler& crawler) {
    LiveLine live;
    for (;;) {
        co_await aio::sleep(kTerminalInterval);
        live.show(line_of(crawler));
    }
}

aio::Co<> print_lines(const crawl::Crawler& crawler) {
    for (;;) {
        co_await aio::sleep(kPlainInterval);
        say(stderr, line_of(crawler) + "\n");
    }
}

}  // namespace

aio::Co<> show_progress(const crawl::Crawler& crawler) {
    if (isatty(STDERR_FILENO)) {
        co_await renew_line(crawler);
    } else {
        co_await print_lines(crawler);
    }
}

}  // namespace weft::cli
