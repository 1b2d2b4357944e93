#include "cli/archive/repair_command.h"

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "cli/crawl/private_files.h"
#include "cli/show/exit_status.h"
#include "crawl/repair/repair.h"

namespace weft::cli {

int run_repair(CrawlArguments& arguments) {
    keep_private_as(arguments.folder);
    arguments.output = arguments.folder;
    const std::string folder = escape_for_terminal(arguments.folder);
    const crawl::Config config = make_config(arguments);
    const crawl::RepairReport report =
        aio::run(crawl::repair(config, folder_options(arguments, config)));
    // They may contain file names from a folder of another person, so they are escaped.
    for (const std::string& action : report.actions) {
        fmt::print("{}\n", escape_for_terminal(action));
    }
    if (!report.was_damaged) {
        fmt::print("{} is whole: there is nothing {}to repair\n", folder,
                   report.actions.empty() ? "" : "more ");
        return exit_done;
    }
    fmt::print("What was replaced is in {}\nTo go on:  weft resume {}\n",
               escape_for_terminal(report.aside.string()), shell_word(arguments.folder));
    return exit_done;
}

}  // namespace weft::cli
