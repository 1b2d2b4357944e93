#include <CLI/CLI.hpp>
#include <algorithm>
#include <concepts>
#include <csignal>
#include <exception>
#include <functional>
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
#include "cli/cluster/cluster_crawl.h"
#include "cli/cluster/status_command.h"
#include "cli/commands.h"
#include "cli/crawl/crawl_command.h"
#include "cli/extract/extract_command.h"
#include "cli/options/option_row.h"
#include "cli/options/settings.h"
#include "cli/options/usage_message.h"
#include "cli/options/value_checks.h"
#include "cli/report/explain_command.h"
#include "cli/report/report_command.h"
#include "cli/show/exit_status.h"
#include "cli/show/generated_files.h"
#include "cli/show/output.h"

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
        const std::string kind = type.substr(0, type.find(':'));
        const bool is_maybe = option->get_expected_max() == 0 && !kind.empty();
        return is_maybe ? "[=" + kind + "]" : " " + kind;
    }

    std::string make_option_desc(const CLI::Option* option) const override {
        return what_of(*option);
    }
};

void add_general(CLI::App& app, SettingSources& sources, bool& dry_run) {
    app.set_version_flag("--version", "weft " WEFT_VERSION);
    app.formatter(std::make_shared<HelpFormatter>());
    app.require_subcommand(1);
    app.fallthrough();  // Options of the program may also be typed after the command.
    app.add_option("--config", sources.named_file, "read options from this file too")
        ->envname("WEFT_CONFIG")
        ->type_name("FILE");
    app.add_flag("--dry-run", dry_run, "show the options that would be used, and do nothing");
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

// A command, with its options added to `app`.
struct Command {
    CLI::App* app;
    std::function<void(const SettingSources& sources)> settle;  // Sets what was not typed.
    std::function<int()> run;                                   // Returns the exit status.
};

template <class Arguments>
void apply_all_settings(CLI::App& command, Arguments&, const SettingSources& sources) {
    apply_settings(command, sources);
}

template <class Arguments, class Run>
Command command(CLI::App& app, void (*add)(CLI::App&, Arguments&), Run run,
                void (*settle)(CLI::App&, Arguments&,
                               const SettingSources&) = apply_all_settings<Arguments>) {
    const auto arguments = std::make_shared<Arguments>();
    add(app, *arguments);
    CLI::App* added = app.get_subcommands({}).back();
    return {.app = added,
            .settle = [=](const SettingSources& sources) { settle(*added, *arguments, sources); },
            .run =
                [=] {
                    if constexpr (std::invocable<Run, const CLI::App&, Arguments&>) {
                        return run(*added, *arguments);
                    } else {
                        return run(*arguments);
                    }
                }};
}

// In the order of --help.
std::vector<Command> add_commands(CLI::App& app) {
    return {command(app, add_crawl, run_crawl),
            command(app, add_resume, run_resume, settle_resume),
            command(app, add_join, run_join, settle_join),
            command(app, add_status, run_status),
            command(app, add_stop, run_stop),
            command(app, add_check, run_check, settle_check),
            command(app, add_recrawl, run_crawl, settle_recrawl),
            command(app, add_repair, run_repair, settle_repair),
            command(app, add_fetch, run_fetch),
            command(app, add_demo, run_demo),
            command(app, add_demo_site, run_demo_site),
            command(app, add_report, run_report),
            command(app, add_explain, run_explain),
            command(app, add_extract, run_extract),
            command(app, add_warc, run_warc),
            command(app, add_wacz, run_wacz),
            command(app, add_mirror, run_mirror),
            command(app, add_serve, run_serve)};
}

int run(int argc, char** argv) {
    CLI::App app("weft crawls web sites: politely, exactly, and fast.", "weft");
    SettingSources sources = system_sources();
    bool dry_run = false;
    app.option_defaults()->take_last();  // If an option with one value is repeated.
    add_general(app, sources, dry_run);
    const std::vector<Command> commands = add_commands(app);
    app.footer("First time? Try: weft demo");  // Set last, or all commands would inherit it.
    try {
        app.parse(as_we_spell(argc, argv));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help or --version.
        throw UsageError(usage_message(app, error));
    }
    const Command& typed =
        *std::ranges::find(commands, app.get_subcommands().front(), &Command::app);
    typed.settle(sources);
    if (!dry_run) return typed.run();
    fmt::print("{}", to_toml(*typed.app, Secrets::removed));
    return exit_done;
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
