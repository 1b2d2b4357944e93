#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/crawl/progress.h"

namespace CLI {
class App;
}

// What is told on standard error while something long runs: the options that `crawl` and its kin
// and `check` share.
namespace weft::cli {

// As typed.
struct ShowArguments {
    std::string progress;
    std::string color = "auto";
    bool quiet = false;
    bool verbose = false;
    bool debug = false;
};

// `quiet` says what --quiet leaves out.
void add_show(CLI::App& command, const char* group, ShowArguments& arguments, const char* quiet);

struct Show {
    ProgressForm progress = ProgressForm::none;
    bool has_color = false;
    bool tells_urls = false;     // A line for each URL when it has ended,
    bool tells_details = false;  // and below it all that is known.
};

// With a line for each URL, progress is plain lines unless a form is typed.
Show make_show(const ShowArguments& arguments);

// Whether to write colours: as typed, or for `auto` on a terminal that knows them, unless NO_COLOR
// is set.
bool wants_color(std::string_view typed, std::FILE* stream);

}  // namespace weft::cli
