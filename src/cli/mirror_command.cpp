#include "cli/mirror_command.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "base/escape.h"
#include "cli/crawl_folder.h"
#include "cli/exit_status.h"
#include "cli/private_files.h"
#include "crawl/mirror.h"

namespace weft::cli {

void add_mirror(CLI::App& app, MirrorArguments& arguments) {
    CLI::App* mirror =
        app.add_subcommand("mirror", "Make a copy of a crawl that can be browsed without a server");
    mirror->add_option("folder", arguments.folder, "of the crawl")->required()->type_name("");
    mirror->add_option("target", arguments.target, "an empty folder, or a new one")
        ->required()
        ->type_name("");
}

int run_mirror(const MirrorArguments& arguments) {
    keep_private_as(arguments.folder);
    open_crawl_folder(arguments.folder);  // Says so if it cannot be read.
    aio::SystemFiles files;
    const crawl::MirrorReport report =
        crawl::write_mirror(files, arguments.folder, arguments.target);
    fmt::print("{}: {} files, {:.1f} MB\n", escape_for_terminal(arguments.target),
               report.file_count, static_cast<double>(report.bytes) / 1e6);
    if (report.lost_count > 0) {
        fmt::print(stderr, "weft: {} pages could not be read from the archive: weft warc verify\n",
                   report.lost_count);
        return exit_file;
    }
    return exit_done;
}

}  // namespace weft::cli
