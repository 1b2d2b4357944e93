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
#include "archive/crawl_index.h"
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/crawl_options.h"
#include "cli/exit_status.h"
#include "cli/progress.h"
#include "cli/report_command.h"
#include "cli/settings.h"
#include "cli/wacz_command.h"
#include "crawl/changes.h"
#include "crawl/crawler.h"
#include "crawl/earlier_crawl.h"
#include "crawl/mirror.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr Duration kDrainTime = 5s;

// The first signal ends the crawl in order: what is under way may finish within kDrainTime. The
// second ends the program at once.
class StopOnSignal {
public:
    StopOnSignal(crawl::Crawler& crawler, aio::Task<> crawling)
        : interrupt_(SIGINT, [this, &crawler, crawling] { stop(crawler, crawling); }),
          terminate_(SIGTERM, [this, &crawler, crawling] { stop(crawler, crawling); }) {}

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

// Runs the crawl beside its progress line, until it ends or a signal ends it.
Co<> run_with_display(crawl::Crawler& crawler, bool shows_progress) {
    try {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            aio::Task<> crawling = group.create_task(crawler.run(), "crawl");
            const StopOnSignal signals(crawler, crawling);
            if (shows_progress) group.create_task(show_progress(crawler), "progress");
            co_await aio::wait_futures({crawling.state()});
            group.cancel();
        });
    } catch (const aio::ExceptionGroup& group) {
        rethrow_first(group);
    }
}

int status_of(const CrawlJob& job, const crawl::Crawler& crawler, const Report& report) {
    switch (crawler.stop_reason()) {
        case crawl::StopReason::none: break;
        case crawl::StopReason::user: return exit_interrupted;
        case crawl::StopReason::pages:
        case crawl::StopReason::bytes: return exit_page_limit;
        case crawl::StopReason::time: return exit_time_limit;
    }
    const bool all_failed = report.failed_count == report.outcome_count;
    if (all_failed && report.outcome_count <= job.config.seeds.size()) return exit_unreachable;
    if (job.fails_on_broken && report.broken_count > 0) return exit_broken;
    return exit_done;
}

void write_reports(aio::FileSystem& files, const Report& report) {
    const std::filesystem::path folder = std::filesystem::path(report.output) / "reports";
    files.write_all(folder / "report.txt", to_text(report));
    files.write_all(folder / "report.json", to_json(report));
    files.write_all(folder / "report.html", to_html(report));
}

void show_changes(aio::FileSystem& files, const CrawlJob& job) {
    const std::string text =
        crawl::report_changes(files, job.config.earlier->folder(), job.config.output);
    if (job.shows_report) fmt::print("\n{}", text);
}

void index_archive(aio::FileSystem& files, const CrawlJob& job) {
    if (!job.config.archive) return;
    if (job.makes_wacz) {
        make_wacz(files, job.config.output, wacz_path(job.config.output), "");
    } else {
        archive::write_crawl_index(files, job.config.output);
    }
    if (!job.mirror.empty()) crawl::write_mirror(files, job.config.output, job.mirror);
}

Co<std::unique_ptr<crawl::Folder>> open_folder(const CrawlJob& job) {
    if (job.is_resumed) co_return co_await crawl::Folder::open(job.config, job.folder);
    co_return co_await crawl::Folder::create(job.config, job.folder);
}

}  // namespace

Co<int> crawl_and_report(CrawlJob job) {
    aio::EventLoop& loop = aio::EventLoop::running();
    const std::unique_ptr<crawl::Folder> folder = co_await open_folder(job);
    crawl::Crawler crawler(job.config, folder->frontier(), folder->writer(), crawl::Hooks{});
    if (job.is_resumed) {
        folder->each_outcome([&](const crawl::Outcome& outcome) { crawler.remember(outcome); });
    }
    std::exception_ptr error;
    try {
        co_await run_with_display(crawler, job.shows_progress);
        co_await folder->finish();
        // Who stops a crawl does not want to wait; the run that ends it makes these.
        if (crawler.stop_reason() != crawl::StopReason::user) index_archive(loop.files(), job);
    } catch (const Error&) {
        error = std::current_exception();  // Thrown again once the report is written.
        folder->flush_pages();
    }
    Report report = make_report(loop.files(), job.config.output);
    report.waiting_count = crawler.counts().waiting + crawler.counts().lent;
    try {
        write_reports(loop.files(), report);
    } catch (const Error&) {
        if (!error) throw;  // Else what went wrong first is what counts.
    }
    if (job.shows_report) {
        const std::string text = to_text(report);
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
    if (!error && job.config.earlier && crawler.stop_reason() != crawl::StopReason::user) {
        show_changes(loop.files(), job);
    }
    const bool is_unfinished = error || crawler.stop_reason() != crawl::StopReason::none;
    if (is_unfinished && job.shows_report) {
        fmt::print("To go on:  weft resume {}\n", escape_for_terminal(job.config.output.string()));
    }
    if (error) std::rethrow_exception(error);
    co_return status_of(job, crawler, report);
}

namespace {

// The options as they stand, for a later `resume`: the seeds in full, the folder not at all.
std::string settings_of(const CLI::App& command, const crawl::Config& config) {
    std::string text = "url = [";
    for (const web::Url& seed : config.seeds) {
        text += (text.ends_with('[') ? "\n  " : ",\n  ") + toml_string(seed.href());
    }
    text += "\n]\n";
    const std::string all = to_toml(command);
    for (std::size_t begin = all.find('\n') + 1; begin < all.size();) {
        const std::size_t end = all.find('\n', begin);
        const std::string_view line = std::string_view(all).substr(begin, end + 1 - begin);
        const bool is_other = line.starts_with("url ") || line.starts_with("input-file ") ||
                              line.starts_with("output ") || line.starts_with("quiet ") ||
                              line.starts_with('#');
        if (!is_other) text += line;
        begin = end + 1;
    }
    return text;
}

CrawlJob make_job(const CLI::App& command, const CrawlArguments& arguments) {
    CrawlJob job;
    job.config = make_config(arguments);
    job.folder = folder_options(arguments, job.config);
    job.folder.settings = settings_of(command, job.config);
    job.makes_wacz = arguments.wacz;
    job.mirror = arguments.mirror;
    if (!job.mirror.empty()) {
        aio::SystemFiles files;
        crawl::check_mirror_target(files, job.mirror);
    }
    job.fails_on_broken = arguments.fail_on == "broken";
    job.shows_progress = job.shows_report = !arguments.quiet;
    return job;
}

}  // namespace

int run_crawl(const CLI::App& command, const CrawlArguments& arguments) {
    return aio::run(crawl_and_report(make_job(command, arguments)));
}

void apply_settings_of(const std::string& folder, CLI::App& command, const CLI::App& app) {
    crawl::Folder::settings(folder);  // Says so if there is no crawl.
    SettingSources sources;
    sources.named_file = std::filesystem::path(folder) / crawl::Folder::kSettingsName;
    sources.environment = [](const std::string&) { return std::nullopt; };
    apply_settings(command, app, sources);
}

int run_recrawl(CLI::App& command, const CLI::App& app, CrawlArguments& arguments) {
    CLI::Option* earlier = command.get_option("--earlier");
    // tidy: allow banned-call: a later run may start in another place
    earlier->add_result(std::filesystem::absolute(arguments.folder).lexically_normal().string());
    earlier->run_callback();
    apply_settings_of(arguments.folder, command, app);
    return aio::run(crawl_and_report(make_job(command, arguments)));
}

int run_resume(CLI::App& command, const CLI::App& app, CrawlArguments& arguments) {
    apply_settings_of(arguments.folder, command, app);
    arguments.output = arguments.folder;
    CrawlJob job = make_job(command, arguments);
    job.is_resumed = true;
    return aio::run(crawl_and_report(std::move(job)));
}

}  // namespace weft::cli
