#include "cli/crawl/crawl_command.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "aio/files/files.h"
#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/loop/shards.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "aio/task/wait.h"
#include "archive/index/crawl_index.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "base/units.h"
#include "cli/archive/wacz_command.h"
#include "cli/cluster/cluster_crawl.h"
#include "cli/crawl/advice.h"
#include "cli/crawl/crawl_log.h"
#include "cli/crawl/metrics.h"
#include "cli/crawl/new_folder.h"
#include "cli/crawl/open_files.h"
#include "cli/crawl/outcome_line.h"
#include "cli/crawl/private_files.h"
#include "cli/crawl/progress.h"
#include "cli/crawl/text_stream.h"
#include "cli/options/folder_settings.h"
#include "cli/options/secrets.h"
#include "cli/report/report_command.h"
#include "cli/show/exit_status.h"
#include "cli/show/standard_streams.h"
#include "cli/show/stop_on_signal.h"
#include "crawl/folder/changes.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/mirror/mirror.h"
#include "crawl/run/crew.h"
#include "frontier/store/store_error.h"

namespace weft::cli {

using aio::Co;

namespace {

// See cancel_later().
constexpr Duration kDrainTime = 5s;
constexpr Duration kWaitTold = 5s;  // A longer wait before the first fetch is reported.

// Running fetches may finish within kDrainTime after the end of a crawl. What is left then is
// cancelled.
void cancel_later(const aio::Task<>& crawling, Duration end) {
    aio::EventLoop::running().call_later(end + kDrainTime, [crawling] { crawling.cancel(); });
}

// Rethrows the first failure itself, not the groups around it.
[[noreturn]] void rethrow_first(const aio::ExceptionGroup& group) {
    try {
        std::rethrow_exception(group.exceptions().front());
    } catch (const aio::ExceptionGroup& inner) {
        rethrow_first(inner);
    }
}

struct Serving {
    Metrics& metrics;
    std::unique_ptr<aio::Listener> listener;  // Null: --metrics was not given.
};

// The crawl must not fetch its own metrics, by whatever name they are linked: their address is
// denied (H119).
std::unique_ptr<aio::Listener> listen_for_metrics(CrawlJob& job) {
    if (job.metrics.empty()) return nullptr;
    auto listener = aio::EventLoop::running().network().listen(parse_metrics_address(job.metrics));
    job.config.addresses.deny(listener->local());
    return listener;
}

std::size_t shard_count(const CrawlJob& job) {
    if (job.config.client.cookies) return 1;  // All fetches share one cookie jar.
    return job.threads.value_or(aio::core_count());
}

// Runs the crawl and its progress, until it ends or a signal stops it.
Co<> run_with_display(crawl::Crew& crawler, const CrawlJob& job, Serving serving,
                      Progress& progress, TextStream* stream) {
    auto& [metrics, listener] = serving;
    if (listener) {
        progress.say(fmt::format("Metrics at http://{}/metrics", listener->local().to_string()));
    }
    try {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            aio::Task<> crawling = group.create_task(crawler.run(), "crawl");
            const StopOnSignal signals([&] {
                progress.say(kFinishing);
                crawler.stop();
                cancel_later(crawling, Duration::zero());
            });
            if (const auto end = job.config.crawl_budget.time_max) cancel_later(crawling, *end);
            group.create_task(progress.run(), "progress");
            if (listener) group.create_task(metrics.serve(std::move(listener)), "metrics");
            std::optional<aio::Task<>> streaming;
            if (stream) {
                streaming = group.create_task(stream->run([&] { crawler.stop(); }), "text");
            }
            co_await aio::wait_futures({crawling.state()});
            if (stream) {
                stream->end();
                co_await aio::wait_futures({streaming->state()});
            }
            group.cancel();
        });
    } catch (const aio::ExceptionGroup& group) {
        rethrow_first(group);
    }
    progress.finish();
}

// If the seeds failed in several ways, the lowest status, as in wget.
int status_of_seeds(const Report& report) {
    int status = exit_broken;
    for (const auto& [failure, reason] : report.seed_failures) {
        const bool is_status = failure == "401" || failure == "407";
        status = std::min<int>(status, is_status ? exit_auth : status_of_failure(failure));
    }
    return status;
}

bool has_no_start(const Report& report) {
    return !report.has_reached_seed && !report.seed_failures.empty();
}

// The message if no seed gave a page. The crawl then has nothing to show.
std::string no_start_text(const CrawlJob& job, const Report& report) {
    std::string text;
    for (const auto& [failure, reason] : report.seed_failures) {
        const bool says_way_out = failure == http::name(http::Failure::address_denied);
        const std::string_view advice = says_way_out ? reason : advice_for(failure);
        text += fmt::format("weft: error: no seed could be reached: {}{}{}\n", failure,
                            advice.empty() ? "" : "; ", escape_for_terminal(advice));
    }
    return text + fmt::format("To ask again:  weft resume {} --retry-failed\n",
                              shell_word(job.config.output.string()));
}

int status_of(const CrawlJob& job, const crawl::Crew& crawler, const Report& report) {
    switch (crawler.stop_reason()) {
        case crawl::StopReason::none: break;
        case crawl::StopReason::user: return exit_interrupted;
        case crawl::StopReason::pages:
        case crawl::StopReason::bytes: return exit_page_limit;
        case crawl::StopReason::time: return exit_time_limit;
        case crawl::StopReason::network: return exit_unreachable;
        case crawl::StopReason::memory: return exit_page_limit;
        case crawl::StopReason::disk: return exit_file;
    }
    if (has_no_start(report)) return status_of_seeds(report);
    if (job.fails_on_broken && report.broken_count > 0) return exit_broken;
    return exit_done;
}

void write_reports(aio::FileSystem& files, const Report& report) {
    const std::filesystem::path folder = std::filesystem::path(report.output) / "reports";
    files.write_all(folder / "report.txt", to_text(report));
    files.write_all(folder / "report.json", to_json(report));
    files.write_all(folder / "report.html", to_html(report));
}

// After an `error` the report may fail as well; then it is empty, because the first error is the
// one to show.
Report report_on(aio::FileSystem& files, const CrawlJob& job, const frontier::Counts& counts,
                 const std::exception_ptr& error) {
    Report report;
    try {
        report = make_report(files, job.config.output);
        report.waiting_count = counts.waiting + counts.lent;
        report.not_stored_count = not_stored_count(files, job.config.output);
        write_reports(files, report);
    } catch (const Error&) {
        if (!error) throw;
    }
    return report;
}

// Where the report goes: standard output may be taken by the texts.
std::FILE* report_stream(const CrawlJob& job) {
    return job.to.empty() ? stdout : stderr;
}

void show_changes(aio::FileSystem& files, const CrawlJob& job, bool is_finished) {
    const std::string text =
        crawl::report_changes(files, job.config.earlier->folder(), job.config.output, is_finished);
    if (!job.show.quiet) fmt::print(report_stream(job), "\n{}", text);
}

// Writes the index and the copies that were asked for. Returns lines that say where they are.
std::string index_archive(aio::FileSystem& files, const CrawlJob& job) {
    std::string made;
    if (!job.config.archive) return made;
    archive::write_crawl_index(files, job.config.output);
    if (job.makes_wacz) {
        const std::filesystem::path path = wacz_path(job.config.output);
        WaczArguments arguments;
        arguments.folder = job.config.output.string();
        tell_what_lacks(make_wacz(files, path, arguments), arguments);
        made += fmt::format("To replay: {}\n", escape_for_terminal(path.string()));
    }
    if (!job.mirror.empty()) {
        crawl::write_mirror(aio::EventLoop::running().files(), job.config.output, job.mirror);
        made += fmt::format("To browse: {}\n", escape_for_terminal(job.mirror.string()));
    }
    return made;
}

// If a new folder cannot be made, no crawl has started, and the user can choose another folder.
Co<std::unique_ptr<crawl::CrawlFolder>> open_folder(const CrawlJob& job) {
    if (job.is_resumed) co_return co_await crawl::CrawlFolder::open(job.config, job.folder);
    try {
        co_return co_await crawl::CrawlFolder::create(job.config, job.folder);
    } catch (const aio::IoError& error) {
        throw frontier::StoreError(fmt::format(
            "{}; no crawl was started: make the folder writable, or give another with --output",
            error.what()));
    }
}

// Delays that hosts asked for in the last run still hold in this one.
void tell_wait(const frontier::Recovered& recovered) {
    if (recovered.first_wait < kWaitTold || recovered.counts.waiting == 0) return;
    say_all(stderr, fmt::format("weft: every remaining host asks for a pause; the first may be "
                                "asked again in {}\n",
                                human_duration(recovered.first_wait)));
}

// Says why the crawl ended early and how to continue. Returns the exit status.
int end(const CrawlJob& job, const crawl::Crew& crawler, const Report& report,
        const std::exception_ptr& error) {
    const std::string way_on =
        fmt::format("To go on:  weft resume {}\n", shell_word(job.config.output.string()));
    if (error) {
        const int status = tell(error);
        say_all(stderr, way_on);
        return status;
    }
    if (crawler.stop_reason() == crawl::StopReason::network) {
        say_all(stderr,
                "weft: error: the network seems to be down: hosts that answered before "
                "can no longer be reached. Nothing is lost; wait until it is back\n" +
                    way_on);
    } else if (crawler.stop_reason() == crawl::StopReason::disk) {
        say_all(stderr,
                fmt::format("weft: error: less than {} is free on the disk of {} (--disk-reserve): "
                            "the crawl was stopped and nothing is lost; free some space first\n",
                            human_bytes(job.config.disk_reserve_bytes),
                            escape_for_terminal(job.config.output.string())) +
                    way_on);
    } else if (crawler.stop_reason() == crawl::StopReason::memory) {
        say_all(stderr,
                "weft: error: the process uses all the memory that --memory allows and cannot "
                "go on; nothing is lost\n" +
                    fmt::format("To go on:  weft resume {} --memory SIZE\n",
                                shell_word(job.config.output.string())));
    } else if (crawler.stop_reason() != crawl::StopReason::none && !job.show.quiet) {
        say_all(report_stream(job), way_on);
    } else if (has_no_start(report) && !job.show.quiet) {
        say_all(stderr, no_start_text(job, report));
    } else if (report.by_failure.contains("retry_after") && !job.show.quiet) {
        say_all(report_stream(job),
                fmt::format("Some hosts asked for a longer pause than --max-retry-after "
                            "allows. To ask them again:  weft resume {} --retry-failed\n",
                            shell_word(job.config.output.string())));
    }
    return status_of(job, crawler, report);
}

}  // namespace

Co<int> crawl_and_report(CrawlJob job) {
    const Show show = make_show(job.show);
    std::unique_ptr<aio::Listener> listener = listen_for_metrics(job);
    const std::unique_ptr<crawl::CrawlFolder> folder = co_await open_folder(job);
    for (const std::string& note : folder->notes()) fmt::print(stderr, "weft: note: {}\n", note);
    aio::FileSystem& files = folder->files();
    if (job.retries_failed) co_await folder->retry_failed(job.config);
    CrawlLog log(files, job.config.output, job.logs);
    // Set below: they need the crawler, and the crawler needs `note`.
    Metrics* watched = nullptr;
    Progress* shown = nullptr;
    const auto note = [&](const crawl::Outcome& outcome) {
        log.add(outcome);
        watched->note(outcome);
        tell_outcome(outcome, show, *shown);
    };
    crawl::OutcomeSource earlier;
    if (job.is_resumed) {
        tell_wait(folder->frontier().recovered());
        // The outcomes of earlier runs are read from the page log.
        folder->flush_pages();
        earlier = [&](const auto& take) { folder->each_outcome(take); };
    }
    crawl::Crew crawler(job.config, folder->frontier(), folder->page_files(),
                        {.shard_count = shard_count(job),
                         .resolver = job.access.resolver,
                         .earlier = earlier,
                         .on_outcome = note});
    std::optional<TextStream> stream;
    if (!job.to.empty()) stream.emplace(*folder->text_log(), STDOUT_FILENO);
    const std::unique_ptr<ClusterLink> link = link_to_cluster(job, crawler);
    Metrics metrics(crawler);
    watched = &metrics;
    Progress progress(show.progress, show.has_color, crawler);
    shown = &progress;
    std::string made;
    std::exception_ptr error;
    try {
        co_await run_with_display(crawler, job, {metrics, std::move(listener)}, progress,
                                  stream ? &*stream : nullptr);
        co_await folder->finish();
        add_not_stored(files, job.config.output, crawler.counts().over_budget);
        const std::string& cookie_file = job.access.save_cookies;
        if (!cookie_file.empty()) write_secret(cookie_file, crawler.cookies());
        // A user who stops a crawl does not want to wait. The last run makes these files.
        if (crawler.stop_reason() != crawl::StopReason::user) made = index_archive(files, job);
    } catch (const Error&) {
        error = std::current_exception();  // Reported once the report is written.
        folder->flush_pages();
    } catch (const std::bad_alloc&) {
        error = std::current_exception();
        folder->flush_pages();
    }
    log.flush();
    const Report report = report_on(files, job, crawler.counts(), error);
    if (!job.show.quiet && !report.output.empty())
        say_all(report_stream(job), to_text(report) + made);
    if (!error && job.config.earlier && crawler.stop_reason() != crawl::StopReason::user) {
        const bool is_finished =
            crawler.stop_reason() == crawl::StopReason::none && report.waiting_count == 0;
        show_changes(aio::EventLoop::running().files(), job, is_finished);
    }
    int status = end(job, crawler, report, error);
    if (stream && !stream->has_reader() && status == exit_interrupted) status = exit_no_reader;
    if (log.failure().empty()) co_return status;
    say_all(stderr, fmt::format("weft: error: a log of --log-format lacks lines: {}; the crawl "
                                "itself is complete: pages/pages.jsonl has a line for each URL\n",
                                log.failure()));
    co_return status == exit_done ? exit_file : status;
}

namespace {

constexpr std::string_view kNotKept = "# not kept: ";

// The current options, for a later `resume`. All seeds are listed and the folder is not. For
// secrets it says only that they were given.
std::string settings_of(const CLI::App& command, const CrawlJob& job,
                        std::optional<WallTime> begun) {
    std::string text = begun ? begun_line(*begun) : "";
    text += "url = [";
    for (const web::Url& seed : job.config.seeds) {
        text += (text.ends_with('[') ? "\n  " : ",\n  ") + toml_string(seed.href());
    }
    text += "\n]\n";
    std::vector<std::string> others = {"url"};
    for (const std::string& name : secret_options(job)) {  // "user", or "header X-Api-Key".
        text += fmt::format("{}{}\n", kNotKept, name);
        others.push_back(name.substr(0, name.find(' ')));
    }
    for (const CLI::Option* option : command.get_options()) {
        if (!is_setting(*option)) continue;
        const std::string& name = option->get_lnames().front();
        const Keeping keeping = keeping_of(name);
        if (keeping == Keeping::kept || std::ranges::find(others, name) != others.end()) continue;
        others.push_back(name);
        const bool is_given = keeping == Keeping::given_again && is_said(*option);
        if (is_given) text += fmt::format("{}{}\n", kNotKept, name);
    }
    const std::string all = to_toml(command, Secrets::kept);
    for (std::size_t begin = all.find('\n') + 1; begin < all.size();) {
        const std::size_t end = all.find('\n', begin);
        const std::string_view line = std::string_view(all).substr(begin, end + 1 - begin);
        const bool is_other =
            line.starts_with('#') ||
            std::ranges::find(others, line.substr(0, line.find(' '))) != others.end();
        if (!is_other) text += line;
        begin = end + 1;
    }
    return text;
}

// Throws if the crawl was started with a secret that its folder does not hold and that is not given
// again. A .netrc file may take the place of a user and password.
void demand_secrets(const CLI::App& command, std::string_view settings) {
    while (!settings.empty()) {
        const std::string_view line = settings.substr(0, settings.find('\n'));
        settings.remove_prefix(std::min(line.size() + 1, settings.size()));
        if (!line.starts_with(kNotKept)) continue;
        const std::string_view entry = line.substr(kNotKept.size());
        const std::string name(entry.substr(0, entry.find(' ')));
        const std::string_view field = entry.substr(std::min(name.size() + 1, entry.size()));
        const auto is_given = [&](const std::string& option) {
            const CLI::Option* const found = command.get_option_no_throw("--" + option);
            if (!found) return true;  // A folder from elsewhere can name anything.
            return std::ranges::any_of(found->results(), [&](const std::string& value) {
                const std::size_t colon = value.find(':');
                return field.empty() || equals_ignore_case(value.substr(0, colon), field);
            });
        };
        const bool has_login = is_given("netrc") || is_given("netrc-file");
        const bool is_login = name == "user" || name == "password";
        if (is_given(name) || (is_login && (has_login || name == "password"))) continue;
        const std::string given =
            field.empty() ? name : fmt::format("{} '{}: ...'", name, escape_for_terminal(field));
        throw UsageError(fmt::format(
            "the crawl was started with --{}, which is not saved in its folder: give it again",
            given));
    }
}

// Whether the command line has something that lets us in somewhere.
bool has_login(const CLI::App& command) {
    const auto is_given = [&](const char* option) {
        return command.get_option(option)->count() > 0;
    };
    const std::vector<std::string>& fields = command.get_option("--header")->results();
    return std::ranges::any_of(std::to_array({"--user", "--password", "--oauth2-bearer", "--netrc",
                                              "--netrc-file", "--load-cookies", "--cert"}),
                               is_given) ||
           std::ranges::any_of(fields,
                               [](const std::string& field) { return is_secret("header", field); });
}

// The options that decide where requests go, as far as the command line leaves them open.
std::vector<const CLI::Option*> open_ways(const CLI::App& command) {
    std::vector<const CLI::Option*> ways;
    for (const char* name : {"--dns-servers", "--no-check-certificate", "--proxy", "--resolve"}) {
        const CLI::Option* const option = command.get_option(name);
        if (option->count() == 0) ways.push_back(option);
    }
    return ways;
}

// Throws if one of `ways` was set by the folder. Another person may have made the folder, and would
// get the login that is given (H116). The options themselves are looked at, not the folder's text,
// which can be written so that a reader takes it for something else.
void refuse_kept_ways(const std::vector<const CLI::Option*>& ways) {
    for (const CLI::Option* option : ways) {
        const auto has_text = [](const std::string& value) { return !value.empty(); };
        if (!is_said(*option) || std::ranges::none_of(option->results(), has_text)) continue;
        const std::string& name = option->get_lnames().front();
        throw UsageError(fmt::format(
            "the crawl's folder sets --{}. Another person may have made the folder, so this is not "
            "used together with a login: give --{} again",
            name, name));
    }
}

// Makes the job ready, but for its folder.
void complete_job(CrawlJob& job) {
    complete(job);
    // Before any file is made.
    if (has_secrets(job)) make_files_private();
    const std::string fewer = fit_open_files(job.config, shard_count(job));
    if (!job.show.quiet) say(stderr, fewer);
    if (!job.mirror.empty()) {
        aio::SystemFiles files;
        crawl::check_mirror_target(files, job.mirror);
    }
    if (!job.metrics.empty()) parse_metrics_address(job.metrics);  // Throws at once if it is wrong.
}

int run_job(const CLI::App& command, CrawlJob& job, std::optional<WallTime> begun) {
    complete_folder(job);
    job.folder.settings = settings_of(command, job, begun);
    set_cluster(job);
    const aio::RunOptions options{.resolver = job.access.resolver};
    return aio::run(crawl_and_report(std::move(job)), options);
}

}  // namespace

int run_crawl(const CLI::App& command, CrawlJob& job) {
    std::signal(SIGHUP, SIG_IGN);  // A crawl goes on when its terminal is closed (H99).
    const bool has_name = !job.config.output.empty();
    complete_job(job);
    if (!has_name) job.config.output = make_new_folder(job.config.output);
    return run_job(command, job, job.config.started);
}

void settle_resume(CLI::App& command, CrawlJob& job, const SettingSources& sources) {
    // The settings of today must not change a crawl that was started earlier, so only options that
    // its folder does not keep are taken from them.
    SettingSources beside_folder = sources;
    beside_folder.skips_kept = true;
    apply_settings(command, beside_folder);
    const SettingSources kept = kept_sources(job.crawl_folder);
    demand_secrets(command, kept.kept_text);
    const bool is_login_given = has_login(command);
    const std::vector<const CLI::Option*> ways = open_ways(command);
    apply_settings(command, kept);
    if (is_login_given) refuse_kept_ways(ways);
}

void settle_recrawl(CLI::App& command, CrawlJob& job, const SettingSources& sources) {
    CLI::Option* earlier = command.get_option("--earlier");
    // tidy: allow banned-call: a later run may start in another place
    earlier->add_result(std::filesystem::absolute(job.crawl_folder).lexically_normal().string());
    earlier->run_callback();
    settle_resume(command, job, sources);
}

int run_resume(const CLI::App& command, CrawlJob& job) {
    std::signal(SIGHUP, SIG_IGN);
    keep_private_as(job.crawl_folder);
    job.config.output = job.crawl_folder;
    settle_cluster(job);
    complete_job(job);
    // Not open_crawl_folder(), because this command finishes a repair that was interrupted.
    aio::SystemFiles all;
    const std::unique_ptr<aio::FileSystem> files = all.inside(job.crawl_folder);
    job.is_resumed = true;
    return run_job(command, job, kept_facts(*files, job.crawl_folder).begun);
}

}  // namespace weft::cli
