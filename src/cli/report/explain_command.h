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

// Says of one URL all that a crawl knows: where it was found, what each rule says, how it was
// fetched, what it waits for, where it is in the archive. Also of a crawl that runs. Throws
// UsageError if the folder holds none.
int run_explain(const ExplainArguments& arguments);

}  // namespace weft::cli
