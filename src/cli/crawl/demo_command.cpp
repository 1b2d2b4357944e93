#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/sync/event.h"
#include "aio/task/task_group.h"
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/crawl/crawl_command.h"
#include "cli/crawl/new_folder.h"
#include "cli/options/folder_settings.h"
#include "cli/show/exit_status.h"
#include "cli/show/stop_on_signal.h"
#include "demo/server/server.h"

namespace weft::cli {

using aio::Co;

namespace {

Co<int> serve_until_signal(DemoSiteArguments arguments) {
    demo::Listeners listeners = demo::listen(arguments.port);
    fmt::print(
        "The generated web is at http://127.0.0.1:{0}/ to http://127.0.0.8:{0}/\n"
        "The truth about it:   http://127.0.0.1:{0}{1}\n"
        "Ctrl-C ends it.\n",
        listeners.port, demo::kTruthPath);
    std::fflush(stdout);
    aio::Event stop;
    const StopOnSignal signals([&] { stop.set(); });
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(demo::serve(std::move(listeners), arguments.site));
        co_await stop.wait();
        group.cancel();
    });
    co_return exit_done;
}

crawl::Config demo_config(std::uint16_t port, std::filesystem::path output, WallTime now) {
    crawl::Config config;
    config.seeds.push_back(web::Url::parse(fmt::format("http://127.0.0.1:{}/", port)).value());
    config.addresses.allow(*http::AddressRange::parse("127.0.0.0/8"));
    config.wait = Duration::zero();  // The site is ours, so no politeness is needed.
    config.max_per_host = 8;
    config.keeps_links = true;
    config.started = now;
    config.output = std::move(output);
    return config;
}

// The same configuration as options, so that `explain`, `resume` and `recrawl` work on the demo's
// folder.
std::string settings_of(const crawl::Config& config) {
    return begun_line(config.started) + fmt::format(
                                            "url = ['{}']\nwait = 0\nmax-per-host = {}\nlinks = "
                                            "true\nallow-net = ['127.0.0.0/8']\n",
                                            config.seeds.front().href(), config.max_per_host);
}

Co<int> serve_and_crawl(std::filesystem::path folder) {
    demo::Listeners listeners = demo::listen(0);
    crawl::Config config =
        demo_config(listeners.port, std::move(folder), aio::EventLoop::running().wall_time());
    fmt::print(stderr, "Crawling a generated web on this machine: weft crawl {}\n\n",
               config.seeds.front().href());
    const std::string output = config.output.string();
    int status = exit_internal;
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(demo::serve(std::move(listeners), {}));
        CrawlJob job;
        job.config = std::move(config);
        job.threads = 1;
        job.folder.max_per_host = job.config.max_per_host;
        job.folder.settings = settings_of(job.config);
        status = co_await crawl_and_report(std::move(job));
        group.cancel();
    });
    const std::string weft = escape_for_terminal(program_invocation_name);
    fmt::print(
        "\nAbout one URL:      {0} explain {1} /failing/404.html\n"
        "Now your own site:  {0} crawl https://example.com/\n",
        weft, output);
    co_return status;
}

constexpr OptionSpec<DemoSiteArguments> kDemoSite[] = {
    {"-p,--port", "N", "port to listen on; 0 takes a free one",
     [](auto& demo) { return number(demo.port); }},
    {"--pages", "N", "articles of the two large hosts",
     [](auto& demo) { return number(demo.site.page_count, 1, 1'000'000); }},
    {"--seed", "N", "chooses the words, pictures and links",
     [](auto& demo) { return number(demo.site.seed); }},
    {"--delay", "SECONDS", "before every answer",
     [](auto& demo) { return seconds(demo.site.delay, 0.0, 3'600.0); }},
    {"--slow-delay", "SECONDS", "what the slow pages wait for",
     [](auto& demo) { return seconds(demo.site.slow_delay, 0.0, 3'600.0); }},
    {"--hostile", "", "link to the pages that break crawlers",
     [](auto& demo) { return flag(demo.site.hostile); }},
};

}  // namespace

void add_demo_site(CLI::App& app, DemoSiteArguments& arguments) {
    CLI::App* site =
        app.add_subcommand("demo-site", "Serve a generated web on 127.0.0.1 to 127.0.0.8");
    add_options(*site, "Options", kDemoSite, arguments);
}

void add_demo(CLI::App& app, DemoArguments&) {
    app.add_subcommand(
        "demo", "Crawl a generated web on this machine and show the report: no network needed");
}

int run_demo_site(const DemoSiteArguments& arguments) {
    return aio::run(serve_until_signal(arguments));
}

int run_demo(const DemoArguments&) {
    std::string stamp = to_timestamp14(SystemClock().wall());
    stamp.insert(8, "-");
    return aio::run(serve_and_crawl(make_new_folder("weft-demo-" + stamp)));
}

}  // namespace weft::cli
