#include "cli/options/show_options.h"

#include <cstdlib>

#include "cli/show/terminal.h"

namespace weft::cli {

namespace {

using enum Keeping;

OptionValue word(std::string& field, const std::vector<std::string>& names) {
    OptionValue value = text(field);
    value.check = one_of(names);
    return value;
}

constexpr OptionSpec<ShowArguments> kShow[] = {
    {"--progress", "FORM",
     "bar, plain (or dot), json or none, on standard error (default: bar on a terminal, else "
     "plain)",
     [](auto& show) { return word(show.progress, progress_names()); }, this_run},
    {"--color,--colour", "WHEN", "auto: on a terminal; always; never",
     [](auto& show) { return word(show.color, {"auto", "always", "never"}); }, this_run},
    {"-q,--quiet", "", "no progress, no report", [](auto& show) { return flag(show.quiet); },
     this_run},
    {"-v,--verbose", "", "a line for each URL when it has ended, on standard error",
     [](auto& show) { return flag(show.verbose); }, this_run},
    {"--debug", "",
     "the same with all that is known: where it was found, why it failed, how long each phase "
     "took, which links were not wanted",
     [](auto& show) { return flag(show.debug); }, this_run},
};

}  // namespace

void add_show(CLI::App& command, const char* heading, ShowArguments& arguments) {
    add_options(command, heading, kShow, arguments);
    exclude_each_other(command, {"--verbose", "--quiet"});
    exclude_each_other(command, {"--debug", "--quiet"});
}

std::span<const OptionSpec<ShowArguments>> show_rows() {
    return kShow;
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
