#pragma once

#include <string>
#include <vector>

#include "cli/options/crawl_options.h"

namespace CLI {
class App;
}

namespace weft::cli {

// `weft check URL...`, as typed.
struct CheckArguments {
    CrawlArguments crawl;
    bool internal_only = false;
    bool fragments = false;
    std::vector<int> accepted;
    std::string baseline;
    bool write_baseline = false;
    std::string format = "text";
    std::string output;  // A file; empty: standard output.
    ShowArguments show;
};

void add_check(CLI::App& app, CheckArguments& arguments);

// Sets the options that depend on the seeds and were not typed, so that `--dry-run` shows them too.
// Reads the input file. Throws UsageError.
void settle_check(CLI::App& command, CheckArguments& arguments);

// Follows the links of a site, requests the links that leave it once, and shows which are broken.
// Returns the exit status: exit_broken if a link is broken that is not in the baseline. Throws
// UsageError.
int run_check(const CheckArguments& arguments);

}  // namespace weft::cli
