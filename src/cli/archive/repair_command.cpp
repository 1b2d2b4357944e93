#include "cli/archive/repair_command.h"

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "cli/crawl/private_files.h"
#include "cli/options/folder_settings.h"
#include "cli/show/exit_status.h"
#include "crawl/repair/repair.h"

namespace weft::cli {

void settle_repair(CLI::App& command, CrawlJob& job, const SettingSources&) {
    std::string restored;
    apply_settings(command, repaired_sources(job.crawl_folder, restored));
    if (!restored.empty()) fmt::print("{}\n", escape_for_terminal(restored));
}

int run_repair(CrawlJob& job) {
    keep_private_as(job.crawl_folder);
    job.config.output = job.crawl_folder;
    const std::string folder = escape_for_terminal(job.crawl_folder);
    complete(job);
    complete_folder(job);
    const crawl::RepairReport report = aio::run(crawl::repair(job.config, job.folder));
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
               escape_for_terminal(report.aside.string()), shell_word(job.crawl_folder));
    return exit_done;
}

}  // namespace weft::cli
