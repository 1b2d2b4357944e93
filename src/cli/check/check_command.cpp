#include "cli/check/check_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "aio/files/files.h"
#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/task/task_group.h"
#include "aio/task/wait.h"
#include "base/escape.h"
#include "cli/check/check_report.h"
#include "cli/crawl/open_files.h"
#include "cli/crawl/outcome_line.h"
#include "cli/crawl/progress.h"
#include "cli/options/typed_url.h"
#include "cli/show/exit_status.h"
#include "cli/show/standard_streams.h"
#include "cli/show/stop_on_signal.h"
#include "crawl/check/link_check.h"
#include "crawl/run/memory_plan.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr const char* kCheckHeading = "What is checked and shown";
constexpr std::size_t kBaselineBytesMax = 256_MiB;

// Fetches at once for a site on this machine.
constexpr std::size_t kOwnPerHost = 8;

struct CheckForm {
    const char* name;
    std::string (*write)(const CheckReport&);
};

constexpr CheckForm kCheckForms[] = {{"text", to_text},
                                     {"json", to_json},
                                     {"junit", to_junit},
                                     {"markdown", to_markdown},
                                     {"github", to_github}};

Choices<std::string> check_form_names() {
    Choices<std::string> names;
    for (const CheckForm& form : kCheckForms) names.emplace_back(form.name, form.name);
    return names;
}

constexpr OptionSpec<CheckArguments> kCheck[] = {
    {"--internal-only", "", "do not check links that leave the scope",
     [](auto& check) { return flag(check.internal_only); }},
    {"--fragments", "", "check also that the #fragment of a link exists, for pages in scope",
     [](auto& check) { return flag(check.fragments); }},
    {"--accept", "STATUS", "statuses to accept too, such as 403,999",
     [](auto& check) { return numbers(check.accepted, 400, 999).separated_by_commas(); }},
    {"--baseline", "FILE", "file of links known to be broken; only others make the check fail",
     [](auto& check) { return text(check.baseline); }},
    {"--write-baseline", "", "write the links that are broken now to the baseline, and do not fail",
     [](auto& check) { return flag(check.write_baseline); }},
    {"-f,--format", "FORM", "text, json, junit, markdown or github",
     [](auto& check) { return choice(check.format, check_form_names()); }},
    {"-o,--output", "FILE", "write that format to a file, and text to standard output",
     [](auto& check) { return text(check.output); }},
};

// A site on this machine has no other users, so there is no reason to be slow. Options that the
// user has set stay.
void hurry_at_home(CLI::App& command, const std::vector<web::Url>& seeds) {
    if (!std::ranges::all_of(seeds, is_loopback)) return;
    const auto is_set = [&](const char* name) { return command.get_option(name)->count() > 0; };
    const auto set = [&](const char* name, std::string value) {
        if (is_set(name)) return;
        command.get_option(name)->add_result(std::move(value));
        command.get_option(name)->run_callback();
    };
    if (!is_set("--wait")) set("--max-per-host", std::to_string(kOwnPerHost));
    set("--wait", "0");
}

void complete_check(CrawlJob& job) {
    complete(job);
    crawl::Config& config = job.config;
    // A check stores nothing.
    config.output.clear();
    config.archive = false;
    crawl::MemoryPlan::of_check(job.memory_bytes).apply(config);
    const std::string fewer = fit_open_files(config, 1);
    if (!job.show.quiet) say(stderr, fewer);
}

Baseline read_baseline(const CheckArguments& arguments, const web::Url& seed) {
    if (arguments.write_baseline && arguments.baseline.empty()) {
        throw UsageError("--write-baseline needs --baseline FILE");
    }
    if (arguments.baseline.empty() || arguments.write_baseline) return {};
    aio::SystemFiles files;
    if (!files.exists(arguments.baseline)) {
        throw UsageError(fmt::format(
            "--baseline {}: there is no such file; --write-baseline makes it of what is broken now",
            escape_for_terminal(arguments.baseline)));
    }
    return parse_baseline(files.read_all(arguments.baseline, kBaselineBytesMax), seed);
}

// Runs the check and its progress, until it ends or a signal stops it.
Co<> run_with_display(crawl::LinkCheck& check, Progress& progress) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        const aio::Task<> checking = group.create_task(check.run(), "check");
        const StopOnSignal signals([&] {
            progress.say(kFinishing);
            check.stop();
        });
        group.create_task(progress.run(), "progress");
        co_await aio::wait_futures({checking.state()});
        group.cancel();
    });
    progress.finish();
}

std::string why_unfinished(crawl::StopReason reason) {
    switch (reason) {
        case crawl::StopReason::none: return "";
        case crawl::StopReason::user: return "it was interrupted";
        case crawl::StopReason::pages: return "--limit was reached";
        case crawl::StopReason::bytes: return "--quota was reached";
        case crawl::StopReason::network: return "the network is down";
        case crawl::StopReason::time: return "--max-time was reached";
        case crawl::StopReason::memory:
            return "--memory is used up: give more, or check a part at a time (--scope prefix)";
        case crawl::StopReason::disk: return "the disk is nearly full";
    }
    std::unreachable();
}

int status_of(const crawl::Crawler& crawler, const crawl::Config& config,
              const CheckReport& report) {
    const crawl::StopReason reason = crawler.stop_reason();
    const crawl::Statistics& numbers = crawler.statistics();
    if (reason == crawl::StopReason::user) return exit_interrupted;
    // All seeds failed, and nothing else was found.
    if (numbers.failed_count == numbers.outcome_count &&
        numbers.outcome_count <= config.seeds.size()) {
        return exit_unreachable;
    }
    if (!report.broken.empty()) return exit_broken;
    if (reason == crawl::StopReason::time) return exit_time_limit;
    return reason == crawl::StopReason::none ? exit_done : exit_page_limit;
}

void show(const CheckArguments& arguments, const CheckReport& report) {
    const auto* form = std::ranges::find(kCheckForms, arguments.format, [](const CheckForm& each) {
        return std::string(each.name);
    });
    const std::string text = form->write(report);
    if (!arguments.output.empty()) aio::SystemFiles().write_all(arguments.output, text);
    // If the chosen format goes to a file, the text is printed as well, so that the user sees what
    // is wrong.
    const bool is_for_people = !arguments.output.empty() || arguments.format == "text";
    if (arguments.crawl.show.quiet && is_for_people) return;
    const std::string shown = arguments.output.empty() ? text : to_text(report);
    std::fwrite(shown.data(), 1, shown.size(), stdout);
}

Co<int> check_and_report(CheckArguments& arguments) {
    complete_check(arguments.crawl);
    crawl::Config& config = arguments.crawl.config;
    const web::Url& first_seed = config.seeds.front();
    const Baseline baseline = read_baseline(arguments, first_seed);
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    const Show wanted = make_show(arguments.crawl.show);
    // Set below: it needs the check, and the check needs the callback.
    Progress* shown = nullptr;
    crawl::LinkCheck check(
        config, {.internal_only = arguments.internal_only,
                 .fragments = arguments.fragments,
                 .accepted = arguments.accepted,
                 .bytes_max = crawl::MemoryPlan::of_check(arguments.crawl.memory_bytes).link_bytes,
                 .on_outcome = [&](const crawl::Outcome& outcome) {
                     tell_outcome(outcome, wanted, *shown);
                 }});
    Progress progress(wanted.progress, wanted.has_color, check.crawler(),
                      [&check] { return check.waiting_count(); });
    shown = &progress;
    co_await run_with_display(check, progress);

    const crawl::Crawler& crawler = check.crawler();
    CheckReport report;
    for (const web::Url& seed : config.seeds) report.seeds.push_back(seed.href());
    report.page_count = check.page_count();
    report.url_count = crawler.statistics().outcome_count;
    report.elapsed = loop.time() - start;
    report.unfinished = why_unfinished(crawler.stop_reason());
    CheckSorter sorter(report, baseline, arguments.format == "junit");
    check.each_result([&](crawl::CheckedLink link) { sorter.add(std::move(link)); });
    sorter.finish();
    show(arguments, report);
    if (arguments.write_baseline) {
        aio::SystemFiles().write_all(arguments.baseline, to_baseline(report, first_seed));
        if (!arguments.crawl.show.quiet) {
            fmt::print(stderr, "{} broken links are now known: {}\n", report.broken.size(),
                       escape_for_terminal(arguments.baseline));
        }
        co_return exit_done;
    }
    co_return status_of(crawler, config, report);
}

}  // namespace

void add_check(CLI::App& app, CheckArguments& arguments) {
    CLI::App* check = app.add_subcommand("check", "Find the broken links of a site; for CI too");
    add_crawl_basics(*check, arguments.crawl);
    add_options(*check, kCheckHeading, kCheck, arguments);
    add_show(*check, kCheckHeading, arguments.crawl.show);
    check->get_option("--quiet")->description("no progress, no text report");
    check->footer(
        "Exit status: 0 no broken link, 8 some, 4 no seed could be reached.\n"
        "Example: weft check --fragments --format junit --output links.xml http://localhost:8000/");
}

void settle_check(CLI::App& command, CheckArguments& arguments, const SettingSources& sources) {
    apply_settings(command, sources);
    read_seeds(arguments.crawl);
    hurry_at_home(command, arguments.crawl.config.seeds);
}

int run_check(CheckArguments& arguments) {
    return aio::run(check_and_report(arguments), {.resolver = arguments.crawl.access.resolver});
}

}  // namespace weft::cli
