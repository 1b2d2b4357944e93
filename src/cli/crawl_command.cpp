#include "cli/crawl_command.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "aio/files.h"
#include "aio/loop.h"
#include "aio/run.h"
#include "aio/signals.h"
#include "aio/task_group.h"
#include "aio/wait.h"
#include "archive/page_log.h"
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/typed_url.h"
#include "crawl/crawler.h"
#include "frontier/memory_frontier.h"

namespace weft::cli {

using aio::Co;

namespace {

std::string default_output(const web::Url& seed, WallTime now) {
    std::string stamp = to_timestamp14(now);
    stamp.insert(8, "-");
    std::string host(seed.hostname());
    std::erase_if(host, [](char c) { return c == '[' || c == ']' || c == ':'; });
    return fmt::format("weft-{}-{}", host, stamp);
}

crawl::Config make_config(const CrawlArguments& arguments) {
    crawl::Config config;
    for (const std::string& text : arguments.urls) {
        config.seeds.push_back(parse_typed_url(text, "crawl"));
        open_own_address(config.seeds.back(), config.addresses);
    }
    allow_networks(arguments.allow_nets, config.addresses);
    if (arguments.robots != "on" && arguments.robots != "off") {
        throw UsageError("--robots takes on or off");
    }
    config.obey_robots = arguments.robots == "on";
    config.depth_max = arguments.depth;
    config.page_count_max = arguments.limit;
    config.concurrency = arguments.concurrency;
    config.max_per_host = arguments.max_per_host;
    if (arguments.wait_seconds) config.wait = to_duration(*arguments.wait_seconds);
    config.try_count_max = arguments.tries;
    config.user_agent = arguments.user_agent;
    config.limits.total_timeout = to_duration(arguments.timeout_seconds);
    config.ca_file = arguments.ca_certificate;
    config.archive = !arguments.no_archive;
    const WallTime now = SystemClock().wall();
    config.output =
        arguments.output.empty() ? default_output(config.seeds.front(), now) : arguments.output;
    return config;
}

void make_output(const crawl::Config& config) {
    aio::FileSystem& files = aio::EventLoop::running().files();
    if (files.exists(config.output / "pages")) {
        throw UsageError(fmt::format("{} holds a crawl already: give another folder with --output",
                                     config.output.string()));
    }
    for (const char* folder : {"pages", "reports"}) {
        files.create_directories(config.output / folder);
    }
}

archive::WarcOptions warc_options(const crawl::Config& config) {
    archive::WarcOptions options;
    options.info = {{"software", "weft/" WEFT_VERSION},
                    {"format", "WARC File Format 1.1"},
                    {"http-header-user-agent", config.user_agent},
                    {"robots", config.obey_robots ? "obey" : "ignore"}};
    return options;
}

archive::PageEntry page_entry(const crawl::Outcome& outcome) {
    return {.url = outcome.url,
            .date = outcome.date,
            .ending = std::string(crawl::name(outcome.ending)),
            .status = outcome.status,
            .reason =
                outcome.failure.empty() ? outcome.reason : outcome.failure + ": " + outcome.reason,
            .content_type = outcome.content_type,
            .content_bytes = outcome.content_bytes,
            .title = outcome.title,
            .referrer = outcome.referrer,
            .redirect_target = outcome.redirect_target,
            .depth = outcome.depth,
            .elapsed = outcome.elapsed,
            .position = outcome.archived};
}

constexpr Duration kDrainTime = 5s;

// The first signal ends the crawl in order: what is under way may finish within kDrainTime. The
// second ends the program at once.
class StopOnSignal {
public:
    StopOnSignal(crawl::Crawler& crawler, aio::Task<> crawling)
        : interrupt_(SIGINT, [this, &crawler, crawling] { stop(crawler, crawling); }),
          terminate_(SIGTERM, [this, &crawler, crawling] { stop(crawler, crawling); }) {}

    bool came() const { return came_; }

private:
    void stop(crawl::Crawler& crawler, const aio::Task<>& crawling) {
        if (came_) _exit(exit_forced);
        came_ = true;
        fmt::print(stderr, "\rFinishing what is under way; once more to stop at once.\n");
        crawler.stop();
        aio::EventLoop::running().call_later(kDrainTime, [crawling] { crawling.cancel(); });
    }

    bool came_ = false;
    aio::SignalHandler interrupt_;
    aio::SignalHandler terminate_;
};

// Of nested groups, the first failure itself.
[[noreturn]] void rethrow_first(const aio::ExceptionGroup& group) {
    try {
        std::rethrow_exception(group.exceptions().front());
    } catch (const aio::ExceptionGroup& inner) {
        rethrow_first(inner);
    }
}

// Runs the crawl beside its progress line; says whether a signal ended it.
Co<bool> run_with_display(crawl::Crawler& crawler, bool shows_progress) {
    bool interrupted = false;
    try {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            aio::Task<> crawling = group.create_task(crawler.run(), "crawl");
            const StopOnSignal signals(crawler, crawling);
            if (shows_progress) group.create_task(show_progress(crawler), "progress");
            co_await aio::wait_futures({crawling.state()});
            interrupted = signals.came();
            group.cancel();
        });
    } catch (const aio::ExceptionGroup& group) {
        rethrow_first(group);
    }
    co_return interrupted;
}

int status_of(const crawl::Config& config, const crawl::Crawler& crawler, bool interrupted) {
    const crawl::Statistics& numbers = crawler.statistics();
    if (interrupted) return exit_interrupted;
    if (crawler.was_stopped()) return exit_page_limit;
    const bool all_failed = numbers.failed_count == numbers.outcome_count;
    if (all_failed && numbers.outcome_count <= config.seeds.size()) return exit_unreachable;
    return exit_done;
}

}  // namespace

Co<int> crawl_and_report(crawl::Config config, CrawlDisplay display) {
    aio::EventLoop& loop = aio::EventLoop::running();
    make_output(config);
    std::optional<archive::WarcWriter> writer;
    if (config.archive) writer.emplace(config.output / "archive", warc_options(config));
    archive::PageLog page_log(config.output / "pages" / "pages.jsonl");
    frontier::MemoryFrontier frontier(config.max_per_host);
    std::vector<crawl::Outcome> broken;
    crawl::Crawler crawler(config, frontier, writer ? &*writer : nullptr,
                           [&](const crawl::Outcome& outcome) {
                               page_log.add(page_entry(outcome));
                               if (outcome.is_broken()) broken.push_back(outcome);
                           });
    const TimePoint start = loop.time();
    std::exception_ptr error;
    bool interrupted = false;
    try {
        interrupted = co_await run_with_display(crawler, display.progress);
    } catch (const Error&) {
        error = std::current_exception();  // Thrown again once what was done is kept.
    }
    co_await page_log.close();
    if (writer && !error) co_await writer->sync();

    const std::string text = to_text({.statistics = crawler.statistics(),
                                      .links = crawler.links(),
                                      .broken = broken,
                                      .counts = frontier.counts(),
                                      .elapsed = loop.time() - start,
                                      .output = config.output.string()});
    loop.files().write_all(config.output / "reports" / "report.txt", text);
    if (display.report) std::fwrite(text.data(), 1, text.size(), stdout);
    if (error) std::rethrow_exception(error);
    co_return status_of(config, crawler, interrupted);
}

int run_crawl(const CrawlArguments& arguments) {
    crawl::Config config = make_config(arguments);
    return aio::run(crawl_and_report(std::move(config),
                                     {.progress = !arguments.quiet, .report = !arguments.quiet}));
}

}  // namespace weft::cli
