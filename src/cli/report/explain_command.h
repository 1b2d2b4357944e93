#pragma once

#include <string>

namespace CLI {
class App;
}

namespace weft::cli {

// `weft explain DIR URL`, as typed.
struct ExplainArguments {
    std::string folder;
    std::string url;
    bool json = false;
};

void add_explain(CLI::App& app, ExplainArguments& arguments);

// Prints everything that a crawl knows about one URL: where it was found, what each rule decides,
// how it was fetched, what it waits for, where it is in the archive. The crawl may be running.
// Throws UsageError if the folder holds no crawl.
int run_explain(const ExplainArguments& arguments);

}  // namespace weft::cli
