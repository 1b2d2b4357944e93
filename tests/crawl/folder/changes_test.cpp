#include "crawl/folder/changes.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "archive/index/outcome.h"
#include "base/units.h"

namespace weft::crawl {
namespace {

std::string changed_page_line(std::string url, std::string digest) {
    return archive::to_json_line({.url = std::move(url),
                                  .ending = Ending::fetched,
                                  .status = 200,
                                  .digest = std::move(digest),
                                  .date = WallTime(std::chrono::seconds(1))});
}

// What a comparison calls each page of two logs.
std::map<std::string, Change> changes_between(const std::string& before, const std::string& after) {
    aio::MemoryFiles files;
    for (const auto& [folder, log] : {std::pair("/before", &before), std::pair("/after", &after)}) {
        files.create_directories(std::filesystem::path(folder) / "pages");
        files.create_directories(std::filesystem::path(folder) / "reports");
        files.write_all(std::filesystem::path(folder) / "pages" / "pages.jsonl", *log);
    }
    std::map<std::string, Change> changes;
    compare_crawls(files, "/before", "/after", true,
                   [&](const PageChange& page) { changes.emplace(page.url, page.change); });
    return changes;
}

}  // namespace

// The lines are sorted on disk, and there the rest of such a digest was a line of its own: a log
// that somebody made so ended the program.
TEST(Changes, ADigestOfSeveralLinesIsNoPage) {
    const std::string large(33_MiB, 'd');
    const std::string good = changed_page_line("http://a.test/", "xxh3:1");

    const auto changes = changes_between(
        good + changed_page_line("http://b.test/", large + "\nx\n") +
            changed_page_line("http://c.test/", "\t") + changed_page_line("http://d.test/", large),
        good);

    const std::map<std::string, Change> wanted = {{"http://a.test/", Change::unchanged},
                                                  {"http://d.test/", Change::missing}};
    EXPECT_EQ(changes, wanted);
}

}  // namespace weft::crawl
