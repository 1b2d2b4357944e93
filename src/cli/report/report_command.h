#pragma once

#include <filesystem>
#include <string>

#include "aio/files/files.h"
#include "cli/report/report.h"

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

// Links that were not stored as their hosts had all the URLs they may have, over all runs; and
// those of another run. Throw IoError.
std::uint64_t not_stored_count(aio::FileSystem& files, const std::filesystem::path& folder);
void add_not_stored(aio::FileSystem& files, const std::filesystem::path& folder,
                    std::uint64_t count);

}  // namespace weft::cli
