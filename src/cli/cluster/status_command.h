#pragma once

#include "cli/options/crawl_options.h"

namespace weft::cli {

// `weft status URL` and `weft stop URL`, as typed.
struct StatusArguments {
    ClusterArguments cluster;
    bool as_json = false;
};
struct StopArguments {
    ClusterArguments cluster;
};

void add_status(CLI::App& app, StatusArguments& arguments);
void add_stop(CLI::App& app, StopArguments& arguments);

// Prints the state of a crawl on several machines. Throws UsageError if there is none.
int run_status(const StatusArguments& arguments);

// Asks all workers to finish what is under way and end.
int run_stop(const StopArguments& arguments);

}  // namespace weft::cli
