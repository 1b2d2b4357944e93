#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/archive/mirror_command.h"
#include "cli/archive/repair_command.h"
#include "cli/archive/wacz_command.h"
#include "cli/archive/warc_command.h"
#include "cli/check/check_command.h"
#include "cli/commands.h"
#include "cli/crawl/crawl_command.h"
#include "cli/options/crawl_options.h"
#include "cli/options/fetch_options.h"
#include "cli/options/option_row.h"
#include "cli/options/settings.h"
#include "cli/options/usage_message.h"
#include "cli/options/value_checks.h"
#include "cli/report/explain_command.h"
#include "cli/report/report_command.h"
#include "cli/show/exit_status.h"
#include "cli/show/generated_files.h"
#include "cli/show/output.h"
#include "cli/show/terminal_guard.h"

namespace weft::cli {
namespace {

// Formats the help: one line for each option, with its names, its kind of value, what it does, and
// the default at the end.
class HelpFormatter final : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        // CLI11 gives "N:INT in [1 - 9]"; only "N" is for users.
        const std::string type = option->get_type_name();
        if (option->get_type_size() == 0) return "";
        return " " + type.substr(0, type.find(':'));
    }

    std::string make_option_desc(const CLI::Option* option) const override {
        return what_of(*option);
    }
};

void add_serve(CLI::App& app, ServeArguments& arguments) {
    CLI::App* serve = app.add_subcommand("serve", "Serve a folder over HTTP");
    serve->add_option("folder", arguments.folder, "what to serve")
        ->capture_default_str()
        ->type_name("DIR");
    serve->add_option("-p,--port", arguments.port, "port to listen on; 0 takes a free one")
        ->capture_default_str()
        ->type_name("N");
    serve->add_option("--bind", arguments.bind, "address to listen on; 0.0.0.0 is every network")
        ->capture_default_str()
        ->type_name("ADDR");
    serve
        ->add_option("--host", arguments.hosts,
                     "a name to answer to besides localhost and this machine's own; * is any")
        ->type_name("NAME");
    serve->add_option("--tls-certificate", arguments.tls_certificate, "serve https with this chain")
        ->type_name("FILE");
    serve->add_option("--tls-key", arguments.tls_key, "its key (default: in the same file)")
        ->type_name("FILE");
    serve->add_flag("-q,--quiet", arguments.quiet, "no line for each request");
    serve->footer("Example: weft serve --port 8000 ./public");
}

void add_demo_site(CLI::App& app, DemoSiteArguments& arguments) {
    CLI::App* site = app.add_subcommand("demo-site", "Serve a made web on 127.0.0.1 to 127.0.0.8");
    site->add_option("-p,--port", arguments.port, "port to listen on; 0 takes a free one")
        ->capture_default_str()
        ->type_name("N");
    site->add_option("--pages", arguments.site.page_count, "articles of the two large hosts")
        ->capture_default_str()
        ->check(between(1, 1'000'000))
        ->type_name("N");
    site->add_option("--seed", arguments.site.seed, "chooses the words, pictures and links")
        ->capture_default_str()
        ->type_name("N");
    site->add_option("--delay", arguments.delay_seconds, "before every answer")
        ->capture_default_str()
        ->check(between(0.0, 3'600.0))
        ->type_name("SECONDS");
    site->add_option("--slow-delay", arguments.slow_delay_seconds, "what the slow pages wait for")
        ->capture_default_str()
        ->check(between(0.0, 3'600.0))
        ->type_name("SECONDS");
    site->add_flag("--hostile", arguments.site.hostile, "link to the pages that break crawlers");
}

void add_general(CLI::App& app, SettingSources& sources, bool& dry_run) {
    app.set_version_flag("--version", "weft " WEFT_VERSION);
    app.formatter(std::make_shared<HelpFormatter>());
    app.require_subcommand(1);
    app.fallthrough();  // Options of the program may also be typed after the command.
    app.add_option("--config", sources.named_file, "read options from this file too")
        ->envname("WEFT_CONFIG")
        ->type_name("FILE");
    app.add_flag("--dry-run", dry_run, "show the options as they would be, and do nothing");
    app.add_option_function<std::string>(
           "--generate",
           [&app](const std::string& name) {
               fmt::print("{}", generate(app, name));
               throw CLI::Success();
           },
           "write man, complete-bash, complete-zsh or complete-fish to standard output")
        ->check(one_of(generated_names()))
        ->trigger_on_parse()
        ->type_name("WHAT");
}

// The typed words in weft's own spelling: `help` as a command, and wget's -np, become options. The
// order is reversed, because CLI11 takes the last word first.
std::vector<std::string> as_we_spell(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    std::ranges::replace(words, "-np", "--no-parent");
    std::ranges::reverse(words);
    return words;
}

int show_settings(const CLI::App& command) {
    fmt::print("{}", to_toml(command, Secrets::removed));
    return exit_done;
}

int run(int argc, char** argv) {
    CLI::App app("weft crawls web sites: politely, exactly, and fast.", "weft");
    SettingSources sources = system_sources();
    bool dry_run = false;
    app.option_defaults()->take_last();  // If an option with one value is repeated.
    add_general(app, sources, dry_run);
    CrawlArguments crawl;
    FetchArguments fetch;
    DemoSiteArguments demo_site;
    ServeArguments serve;
    add_crawl(app, crawl);
    CrawlArguments resume;
    add_resume(app, resume);
    CheckArguments check;
    add_check(app, check);
    CrawlArguments recrawl;
    add_recrawl(app, recrawl);
    CrawlArguments repair;
    add_repair(app, repair);
    add_fetch(app, fetch);
    app.add_subcommand("demo",
                       "Crawl a made web on this machine and show the report: no network needed");
    add_demo_site(app, demo_site);
    ReportArguments report;
    add_report(app, report);
    ExplainArguments explain;
    add_explain(app, explain);
    WarcArguments warc;
    add_warc(app, warc);
    WaczArguments wacz;
    add_wacz(app, wacz);
    MirrorArguments mirror;
    add_mirror(app, mirror);
    add_serve(app, serve);
    app.footer("First time? Try: weft demo");  // Set last, or all commands would inherit it.
    try {
        app.parse(as_we_spell(argc, argv));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help or --version.
        throw UsageError(usage_message(app, error));
    }
    CLI::App& command = *app.get_subcommands().front();
    // A crawl that is continued takes its options from its folder, not from the user's files.
    if (app.got_subcommand("resume")) {
        apply_settings_of(resume.folder, command, app);
    } else if (app.got_subcommand("recrawl")) {
        apply_settings_of_earlier(recrawl.folder, command, app);
    } else if (app.got_subcommand("repair")) {
        apply_repaired_settings_of(repair.folder, command, app);
    } else {
        apply_settings(command, app, sources);
    }
    if (app.got_subcommand("check")) settle_check(command, check);
    if (dry_run) return show_settings(command);
    if (app.got_subcommand("crawl")) return run_crawl(command, crawl);
    if (app.got_subcommand("resume")) return run_resume(command, resume);
    if (app.got_subcommand("recrawl")) return run_crawl(command, recrawl);
    if (app.got_subcommand("repair")) return run_repair(repair);
    if (app.got_subcommand("check")) return run_check(check);
    if (app.got_subcommand("fetch")) return run_fetch(fetch);
    if (app.got_subcommand("demo-site")) return run_demo_site(demo_site);
    if (app.got_subcommand("report")) return run_report(report);
    if (app.got_subcommand("explain")) return run_explain(explain);
    if (app.got_subcommand("warc")) guard_terminal();  // It prints stored content unchanged.
    if (app.got_subcommand("warc")) return run_warc(app, warc);
    if (app.got_subcommand("wacz")) return run_wacz(wacz);
    if (app.got_subcommand("mirror")) return run_mirror(mirror);
    if (app.got_subcommand("serve")) return run_serve(serve);
    return run_demo();
}

}  // namespace
}  // namespace weft::cli

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // A closed pipe is a failed write, not the end of a crawl.
    std::signal(SIGXFSZ, SIG_IGN);  // So is a file that may not grow.
    weft::cli::tell_where_nobody_catches();
    if (!weft::cli::has_address_space()) return weft::cli::exit_file;
    try {
        return weft::cli::end_output(weft::cli::run(argc, argv));
    } catch (...) {
        return weft::cli::end_output(weft::cli::tell(std::current_exception()));
    }
}
