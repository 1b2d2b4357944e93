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

// Sets what the options leave open and the seeds decide, so that `--dry-run` shows it too. Reads
// the input file. Throws UsageError.
void settle_check(CLI::App& command, CheckArguments& arguments);

// Follows the links of a site, asks for those that leave it, and shows which are broken. Returns
// the exit status: exit_broken if one is that the baseline does not know. Throws UsageError.
int run_check(const CheckArguments& arguments);

}  // namespace weft::cli
