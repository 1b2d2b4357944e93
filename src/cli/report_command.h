#pragma once

#include <filesystem>
#include <string>

#include "aio/files.h"
#include "cli/report.h"

namespace CLI {
class App;
}

namespace weft::cli {

// `weft report DIR`, as typed.
struct ReportArguments {
    std::string folder;
    std::string format = "text";
    std::string graph;   // In place of the report.
    std::string output;  // A file; empty: standard output.
};

void add_report(CLI::App& app, ReportArguments& arguments);

// Shows the report of a crawl, also of one that runs. Throws UsageError if the folder is none.
int run_report(const ReportArguments& arguments);

// The report of the crawl in this folder. Throws IoError.
Report make_report(aio::FileSystem& files, const std::filesystem::path& folder);

}  // namespace weft::cli
