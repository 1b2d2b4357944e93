#pragma once

#include <filesystem>
#include <string>

#include "aio/files.h"
#include "archive/wacz.h"

namespace CLI {
class App;
}

namespace weft::cli {

// `weft wacz DIR`, as typed.
struct WaczArguments {
    std::string folder;
    std::string output;  // A file; empty: in the folder, named after it.
    std::string title;   // Empty: the folder's name.
};

void add_wacz(CLI::App& app, WaczArguments& arguments);

// Makes the file and says so. Throws UsageError if the folder holds no crawl with an archive.
int run_wacz(const WaczArguments& arguments);

// Where the WACZ file of a crawl lies: in its folder, named after it.
std::filesystem::path wacz_path(const std::filesystem::path& folder);

// Makes it. Throws IoError, UsageError.
archive::WaczSummary make_wacz(aio::FileSystem& files, const std::filesystem::path& folder,
                               const std::filesystem::path& path, std::string title);

}  // namespace weft::cli
