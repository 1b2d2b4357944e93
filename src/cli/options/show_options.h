#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/crawl/progress.h"
#include "cli/options/option_table.h"

// What a long command prints on standard error while it runs: the options that the crawling
// commands and `check` share.
namespace weft::cli {

// As typed.
struct ShowArguments {
    std::string progress;
    std::string color = "auto";
    bool quiet = false;
    bool verbose = false;
    bool debug = false;
};

void add_show(CLI::App& command, const char* heading, ShowArguments& arguments);
std::span<const OptionSpec<ShowArguments>> show_rows();

// The options as values.
struct Show {
    ProgressForm progress = ProgressForm::none;
    bool has_color = false;
    bool tells_urls = false;     // Print a line for each URL when it has ended,
    bool tells_details = false;  // and below it everything that is known.
};

// If there is a line for each URL, progress is plain lines, unless a form is typed.
Show make_show(const ShowArguments& arguments);

// Whether to use colours: as typed. For `auto`: on a terminal that has them, unless NO_COLOR is
// set.
bool wants_color(std::string_view typed, std::FILE* stream);

}  // namespace weft::cli
