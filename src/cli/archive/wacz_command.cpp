#include "cli/archive/wacz_command.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "base/error.h"
#include "base/escape.h"
#include "cli/crawl/crawl_folder.h"
#include "cli/crawl/private_files.h"
#include "cli/options/option_table.h"
#include "cli/show/exit_status.h"
#include "crawl/folder/earlier_crawl.h"

namespace weft::cli {
namespace {

// The name of a folder, also for "crawl/". A folder without a name of its own (".", "..") is called
// "crawl".
std::string name_of(const std::filesystem::path& folder) {
    std::filesystem::path whole = folder.lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    const std::string name = whole.filename().string();
    return name.empty() || name == "." || name == ".." ? "crawl" : name;
}

constexpr OptionSpec<WaczArguments> kWacz[] = {
    {"-o,--output", "FILE", "file to write (default: in the folder, named after it)",
     [](auto& wacz) { return text(wacz.output); }},
    {"--title", "TEXT", "title shown by replay tools (default: the folder's name)",
     [](auto& wacz) { return text(wacz.title); }},
    {"--self-contained", "", "include content that a recrawl did not store again (default)",
     [](auto& wacz) { return sets(wacz.is_self_contained, true); }},
    {"--no-self-contained", "", "leave that content in the earlier crawl",
     [](auto& wacz) { return sets(wacz.is_self_contained, false); }},
    {"--earlier", "DIR",
     "folder of the earlier crawl, if it was moved; repeat it for crawls before that",
     [](auto& wacz) { return texts(wacz.earlier); }},
};

}  // namespace

void add_wacz(CLI::App& app, WaczArguments& arguments) {
    CLI::App* wacz =
        app.add_subcommand("wacz", "Pack a crawl into one file that replay tools open (WACZ)");
    wacz->add_option("folder", arguments.folder, "folder of the crawl")->required()->type_name("");
    add_options(*wacz, "Options", kWacz, arguments);
    exclude_each_other(*wacz, {"--self-contained", "--no-self-contained"});
}

std::filesystem::path wacz_path(const std::filesystem::path& folder) {
    return folder / (name_of(folder) + ".wacz");
}

MadeWacz make_wacz(aio::FileSystem& files, const std::filesystem::path& path,
                   const WaczArguments& arguments) {
    const std::filesystem::path folder = arguments.folder;
    const std::vector<std::filesystem::path> earlier(arguments.earlier.begin(),
                                                     arguments.earlier.end());
    const archive::CrawlSnapshot snapshot(files, folder);
    const auto crawl = crawl::EarlierCrawl::open(files, folder, {.earlier = earlier});
    MadeWacz made;
    made.was_running = snapshot.is_running();
    made.missing_earlier = crawl->missing().value_or("");
    const archive::TakeOriginal pass_over = [](const std::filesystem::path&, std::uint64_t) {};
    const auto each_original = [&](const archive::TakeOriginal& take) {
        made.originals = crawl::each_original(snapshot, *crawl, take);
    };
    archive::WaczOptions options{
        .title = arguments.title.empty() ? name_of(folder) : arguments.title,
        .software = "weft/" WEFT_VERSION,
        .created = SystemClock().wall(),
        .each_original = {}};
    // Without copying the originals, they are only counted, for the message.
    if (arguments.is_self_contained) {
        options.each_original = each_original;
    } else {
        each_original(pass_over);
    }
    made.summary = archive::write_wacz(files, snapshot, path, options);
    return made;
}

int tell_what_lacks(const MadeWacz& made, const WaczArguments& arguments) {
    if (!arguments.is_self_contained && made.originals.elsewhere_count > 0) {
        fmt::print(
            "Pages that will not replay: {}; their content is in an earlier crawl, and "
            "--no-self-contained leaves it there.\n",
            made.originals.elsewhere_count);
    }
    if (made.originals.lost_count == 0) return exit_done;
    for (const std::string& loss : made.originals.losses) fmt::print(stderr, "{}\n", loss);
    const std::string why =
        made.missing_earlier.empty()
            ? "their content was not found in the earlier crawls"
            : fmt::format(
                  "their content is in {}, which is not there: name the folder with "
                  "--earlier",
                  escape_for_terminal(made.missing_earlier.string()));
    fmt::print(stderr, "weft: error: pages that will not replay: {}; {}\n",
               made.originals.lost_count, why);
    return exit_file;
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
    const MadeWacz made = make_wacz(files, path, arguments);
    fmt::print("{}: {} pages, {} records, {:.1f} MB\n", escape_for_terminal(path.string()),
               made.summary.page_count, made.summary.record_count,
               static_cast<double>(made.summary.bytes) / 1e6);
    if (made.summary.original_count > 0) {
        fmt::print("With {} records of earlier crawls, whose content has not changed since.\n",
                   made.summary.original_count);
    }
    if (made.was_running) fmt::print("{}", kOfARunningCrawl);
    return tell_what_lacks(made, arguments);
}

}  // namespace weft::cli
