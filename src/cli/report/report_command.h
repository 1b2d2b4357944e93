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
    std::string graph;   // Printed in place of the report.
    std::string output;  // A file; empty: standard output.
};

void add_report(CLI::App& app, ReportArguments& arguments);

// Prints the report of a crawl, which may be running. Throws UsageError if the folder holds no
// crawl.
int run_report(const ReportArguments& arguments);

// The report of the crawl in this folder. Throws IoError.
Report make_report(aio::FileSystem& files, const std::filesystem::path& folder);

// The number of links over all runs that were not stored, because their hosts had all the URLs they
// may have. add_not_stored() adds those of another run. Both throw IoError.
std::uint64_t not_stored_count(aio::FileSystem& files, const std::filesystem::path& folder);
void add_not_stored(aio::FileSystem& files, const std::filesystem::path& folder,
                    std::uint64_t count);

}  // namespace weft::cli
