#pragma once

#include <string>
#include <vector>

#include "cli/options/crawl_options.h"
#include "cli/options/settings.h"

namespace weft::cli {

// `weft check URL...`, as typed.
struct CheckArguments {
    CrawlJob crawl;
    bool internal_only = false;
    bool fragments = false;
    std::vector<int> accepted;
    std::string baseline;
    bool write_baseline = false;
    std::string format = "text";
    std::string output;  // A file; empty: standard output.
};

void add_check(CLI::App& app, CheckArguments& arguments);

// Sets the options that were not typed, also those that depend on the seeds, so that `--dry-run`
// shows them. Reads the input file. Throws UsageError.
void settle_check(CLI::App& command, CheckArguments& arguments, const SettingSources& sources);

// Follows the links of a site, requests the links that leave it once, and shows which are broken.
// Returns the exit status: exit_broken if a link is broken that is not in the baseline. Throws
// UsageError.
int run_check(CheckArguments& arguments);

}  // namespace weft::cli
