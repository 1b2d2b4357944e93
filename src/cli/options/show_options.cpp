#include "cli/options/show_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "cli/options/value_checks.h"
#include "cli/show/terminal.h"

namespace weft::cli {

void add_show(CLI::App& command, const char* group, ShowArguments& arguments, const char* quiet) {
    command
        .add_option("--progress", arguments.progress,
                    "bar, plain (or dot), json or none, on standard error (default: bar on a "
                    "terminal, else plain)")
        ->check(one_of(progress_names()))
        ->group(group)
        ->type_name("FORM");
    command.add_option("--color,--colour", arguments.color, "auto: on a terminal; always; never")
        ->capture_default_str()
        ->check(one_of({"auto", "always", "never"}))
        ->group(group)
        ->type_name("WHEN");
    CLI::Option* silent = command.add_flag("-q,--quiet", arguments.quiet, quiet)->group(group);
    command
        .add_flag("-v,--verbose", arguments.verbose,
                  "a line for each URL when it has ended, on standard error")
        ->group(group)
        ->excludes(silent);
    command
        .add_flag("--debug", arguments.debug,
                  "the same with all that is known: where it was found, why it failed, how long "
                  "each phase took, which links were not wanted")
        ->group(group)
        ->excludes(silent);
}

Show make_show(const ShowArguments& arguments) {
    Show show;
    show.tells_details = arguments.debug;
    show.tells_urls = arguments.verbose || arguments.debug;
    show.has_color = wants_color(arguments.color, stderr);
    const bool is_plain = show.tells_urls && arguments.progress.empty();
    if (!arguments.quiet) show.progress = parse_progress(is_plain ? "plain" : arguments.progress);
    return show;
}

bool wants_color(std::string_view typed, std::FILE* stream) {
    if (typed != "auto") return typed == "always";
    // no-color.org: set and not empty means no colours.
    const char* const refusal = std::getenv("NO_COLOR");
    return !(refusal && *refusal) && is_able_terminal(stream);
}

}  // namespace weft::cli
