#include "cli/wacz_command.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "base/error.h"
#include "base/escape.h"
#include "cli/crawl_folder.h"
#include "cli/exit_status.h"
#include "cli/private_files.h"

namespace weft::cli {
namespace {

// Also of "crawl/"; those that say nothing of themselves are called crawl.
std::string name_of(const std::filesystem::path& folder) {
    std::filesystem::path whole = folder.lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    const std::string name = whole.filename().string();
    return name.empty() || name == "." || name == ".." ? "crawl" : name;
}

}  // namespace

void add_wacz(CLI::App& app, WaczArguments& arguments) {
    CLI::App* wacz =
        app.add_subcommand("wacz", "Make one file of a crawl that replay tools open (WACZ)");
    wacz->add_option("folder", arguments.folder, "of the crawl")->required()->type_name("");
    wacz->add_option("-o,--output", arguments.output,
                     "the file to make (default: in the folder, named after it)")
        ->type_name("FILE");
    wacz->add_option("--title", arguments.title, "for people (default: the folder's name)")
        ->type_name("TEXT");
}

std::filesystem::path wacz_path(const std::filesystem::path& folder) {
    return folder / (name_of(folder) + ".wacz");
}

archive::WaczSummary make_wacz(aio::FileSystem& files, const std::filesystem::path& folder,
                               const std::filesystem::path& path, std::string title) {
    if (title.empty()) title = name_of(folder);
    return archive::write_wacz(files, folder, path,
                               {.title = std::move(title),
                                .software = "weft/" WEFT_VERSION,
                                .created = SystemClock().wall()});
}

int run_wacz(const WaczArguments& arguments) {
    keep_private_as(arguments.folder);
    aio::SystemFiles files;
    const std::filesystem::path folder = arguments.folder;
    const std::unique_ptr<aio::FileSystem> inside = open_crawl_folder(folder);
    for (const char* name : {"pages/pages.jsonl", "archive"}) {
        if (inside->exists(folder / name)) continue;
        throw UsageError(fmt::format("{} holds no crawl with an archive: there is no {} in it",
                                     escape_for_terminal(arguments.folder), name));
    }
    const std::filesystem::path path =
        arguments.output.empty() ? wacz_path(folder) : std::filesystem::path(arguments.output);
    const archive::WaczSummary summary = make_wacz(files, folder, path, arguments.title);
    fmt::print("{}: {} pages, {} records, {:.1f} MB\n", escape_for_terminal(path.string()),
               summary.page_count, summary.record_count, static_cast<double>(summary.bytes) / 1e6);
    return exit_done;
}

}  // namespace weft::cli
