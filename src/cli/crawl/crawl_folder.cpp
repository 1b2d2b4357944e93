#include "cli/crawl/crawl_folder.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "crawl/repair/repair_plan.h"
#include "frontier/store/store_error.h"

namespace weft::cli {

std::unique_ptr<aio::FileSystem> open_crawl_folder(const std::filesystem::path& folder) {
    static aio::SystemFiles all;  // tidy: allow shared-state: it holds nothing.
    if (!all.exists(folder)) {
        throw UsageError(fmt::format("{} holds no crawl: there is no such folder",
                                     escape_for_terminal(folder.string())));
    }
    std::unique_ptr<aio::FileSystem> files = all.inside(folder);
    if (crawl::is_repair_under_way(*files, folder)) {
        throw frontier::StoreError(
            fmt::format("a repair of {} was cut off", escape_for_terminal(folder.string())),
            fmt::format("`weft repair {}` finishes it", shell_word(folder.string())));
    }
    return files;
}

}  // namespace weft::cli
