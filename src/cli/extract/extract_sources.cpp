#include "cli/extract/extract_sources.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/escape.h"
#include "cli/archive/warc_inputs.h"
#include "cli/crawl/crawl_folder.h"

namespace weft::cli {
namespace {

bool is_folder(const std::string& path) {
    std::error_code none;
    return std::filesystem::is_directory(path, none);  // tidy: allow banned-call: no loop runs yet
}

void add_files(const std::string& path, std::vector<crawl::PageInput>& inputs) {
    for (const WarcInput& input : warc_inputs({path})) {
        inputs.push_back({.shown = input.shown,
                          .open = [input] { return input.open(); },
                          .size = input.part ? input.part->size : input.open()->size()});
    }
}

// Of a crawl that is running, what it has committed.
std::shared_ptr<const archive::CrawlSnapshot> add_folder(const std::string& path,
                                                         std::vector<crawl::PageInput>& inputs) {
    static aio::SystemFiles all;  // tidy: allow shared-state: it holds nothing.
    const auto snapshot = std::make_shared<const archive::CrawlSnapshot>(all, path);
    const std::vector<std::string> names = snapshot->warc_files();
    if (names.empty()) {
        throw UsageError(
            fmt::format("{} holds no crawl with an archive: nothing is stored of its "
                        "pages",
                        escape_for_terminal(path)));
    }
    for (const std::string& name : names) {
        inputs.push_back({.shown = escape_for_terminal(
                              (std::filesystem::path(path) / "archive" / name).string()),
                          .open = [snapshot, name] { return snapshot->open_warc(name); },
                          .size = snapshot->open_warc(name)->size()});
    }
    return snapshot;
}

}  // namespace

ExtractSources open_sources(const std::vector<std::string>& paths) {
    ExtractSources sources;
    for (const std::string& path : paths) {
        if (!is_folder(path)) {
            add_files(path, sources.inputs);
            continue;
        }
        std::unique_ptr<aio::FileSystem> files = open_crawl_folder(path);
        auto snapshot = add_folder(path, sources.inputs);
        if (paths.size() > 1) continue;
        sources.folder = path;
        sources.files = std::move(files);
        sources.snapshot = std::move(snapshot);
    }
    return sources;
}

}  // namespace weft::cli
