#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "archive/wacz/wacz.h"
#include "crawl/folder/originals.h"

namespace CLI {
class App;
}

namespace weft::cli {

// `weft wacz DIR`, as typed.
struct WaczArguments {
    std::string folder;
    std::string output;  // A file; empty: in the folder, named after it.
    std::string title;   // Empty: the folder's name.
    std::vector<std::string> earlier;
    bool is_self_contained = true;
};

// Printed after copying a crawl that another process is running.
inline constexpr const char* kOfARunningCrawl =
    "The crawl is running: this is what it had committed when the copy began.\n";

void add_wacz(CLI::App& app, WaczArguments& arguments);

// Makes the file and prints what was done. Throws UsageError if the folder holds no crawl with an
// archive.
int run_wacz(const WaczArguments& arguments);

// The default path of a crawl's WACZ file: in its folder, named after it.
std::filesystem::path wacz_path(const std::filesystem::path& folder);

struct MadeWacz {
    archive::WaczSummary summary;
    crawl::OriginalsReport originals;
    std::filesystem::path missing_earlier;  // An earlier crawl that was not found; empty: none.
    bool was_running = false;
};

// Throws IoError, UsageError or ArchiveError.
MadeWacz make_wacz(aio::FileSystem& files, const std::filesystem::path& path,
                   const WaczArguments& arguments);

// Prints which pages will not replay, and what to do about it. Returns the exit status.
int tell_what_lacks(const MadeWacz& made, const WaczArguments& arguments);

}  // namespace weft::cli
