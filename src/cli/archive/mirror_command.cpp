#include "cli/archive/mirror_command.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/shell_word.h"
#include "cli/archive/wacz_command.h"
#include "cli/crawl/crawl_folder.h"
#include "cli/crawl/private_files.h"
#include "cli/options/option_table.h"
#include "cli/show/exit_status.h"
#include "crawl/mirror/mirror.h"

namespace weft::cli {

namespace {

constexpr OptionSpec<MirrorArguments> kMirror[] = {
    {"--earlier", "DIR",
     "folder of the earlier crawl, if it was moved; repeat it for crawls before that",
     [](auto& mirror) { return texts(mirror.earlier); }},
    {"--ignore-digests", "", "copy content with a wrong digest too",
     [](auto& mirror) { return flag(mirror.ignores_digests); }},
};

}  // namespace

void add_mirror(CLI::App& app, MirrorArguments& arguments) {
    CLI::App* mirror =
        app.add_subcommand("mirror", "Make a copy of a crawl that can be browsed without a server");
    mirror->add_option("folder", arguments.folder, "folder of the crawl")
        ->required()
        ->type_name("");
    mirror->add_option("target", arguments.target, "an empty folder, or a new one")
        ->required()
        ->type_name("");
    add_options(*mirror, "Options", kMirror, arguments);
}

namespace {

// Prints what the copy lacks and what to do about it. Returns the exit status.
int tell_losses(const MirrorArguments& arguments, const crawl::MirrorReport& report) {
    if (report.damaged_count > 0) {
        for (const std::string& damage : report.damages) fmt::print(stderr, "{}\n", damage);
        fmt::print(stderr,
                   "weft: error: the copy lacks damaged pages ({}): `weft repair {}` restores "
                   "what it can, --ignore-digests copies those with a wrong digest\n",
                   report.damaged_count, shell_word(arguments.folder));
    }
    if (report.no_original_count > 0) {
        const std::string where =
            report.missing_earlier.empty()
                ? std::string("no crawl that it built upon has them")
                : fmt::format("they are in {}, which is not there: name the folder with --earlier",
                              escape_for_terminal(report.missing_earlier.string()));
        fmt::print(stderr,
                   "weft: error: the copy lacks pages that have not changed since an earlier "
                   "crawl ({}): {}\n",
                   report.no_original_count, where);
    }
    return report.damaged_count + report.no_original_count > 0 ? exit_file : exit_done;
}

}  // namespace

int run_mirror(const MirrorArguments& arguments) {
    keep_private_as(arguments.folder);
    open_crawl_folder(arguments.folder);  // Throws if it cannot be read.
    aio::SystemFiles files;
    const std::vector<std::filesystem::path> earlier(arguments.earlier.begin(),
                                                     arguments.earlier.end());
    const crawl::MirrorReport report = crawl::write_mirror(
        files, arguments.folder, arguments.target,
        {.earlier = earlier,
         .digests = arguments.ignores_digests ? crawl::Digests::ignored : crawl::Digests::checked});
    fmt::print("{}: {} files, {:.1f} MB\n", escape_for_terminal(arguments.target),
               report.file_count, static_cast<double>(report.bytes) / 1e6);
    if (report.was_running) fmt::print("{}", kOfARunningCrawl);
    return tell_losses(arguments, report);
}

}  // namespace weft::cli
