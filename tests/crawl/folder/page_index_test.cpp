#include "crawl/folder/page_index.h"

#include <gtest/gtest.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "base/escape.h"
#include "support/scratch.h"

namespace weft::crawl {
namespace {

using aio::Co;

// A log with two lines of one URL, of which the index knows the second: who reads the log from the
// front meets the first.
int status_found(aio::FileSystem& files, const std::filesystem::path& folder, const web::Url& url) {
    const std::string start = "{\"url\":\"" + escape_for_json(url.href()) + "\",\"status\":";
    const std::string first = start + "404}\n";
    const std::string second = start + "200}\n";
    files.create_directories(folder / "pages");
    files.write_all(folder / "pages" / "pages.jsonl", first + second);
    PageIndex index(files, folder / PageIndex::kName, 0);
    index.add(second, first.size());
    index.flush();
    const auto entry = find_page(files, folder, url, false);
    return entry ? entry->status : 0;
}

TEST(PageIndex, EveryFormOfAUrlIsFoundByItsRow) {
    const tests::Scratch scratch;
    aio::run([](std::filesystem::path folder) -> Co<> {
        aio::FileSystem& files = aio::EventLoop::running().files();
        for (const char* text :
             {"http://a.example/", "http://127.0.0.1:8080/x/y.html", "https://a.example/?q=1",
              "http://a.example/%7euser", "http://a.example/x;jsessionid=1?b", "http://a.example/?",
              "http://a.example/?back\\slash"}) {
            EXPECT_EQ(status_found(files, folder, web::Url::parse(text).value()), 200) << text;
        }
        co_return;
    }(scratch.path()));
}

std::string line_of(int number) {
    return "{\"url\":\"http://a.example/" + std::to_string(number) +
           "\",\"status\":" + std::to_string(200 + number) + "}\n";
}

// Adds lines to the log and to its index, as a crawl does.
void add_lines(aio::FileSystem& files, const std::filesystem::path& folder,
               std::initializer_list<int> numbers) {
    const auto log = files.open(folder / "pages/pages.jsonl", aio::OpenMode::append);
    PageIndex index(files, folder / PageIndex::kName, log->size());
    for (const int number : numbers) {
        index.add(line_of(number), log->size());
        log->append(line_of(number));
    }
    index.flush();
}

int status_of(aio::FileSystem& files, const std::filesystem::path& folder, int number) {
    const auto url = web::Url::parse("http://a.example/" + std::to_string(number));
    const auto entry = find_page(files, folder, *url, false);
    return entry ? entry->status : 0;
}

// Rows of the old log stayed before the good rows of new lines, and their pages were not found.
TEST(PageIndex, AfterARewrittenLogEveryPageIsFound) {
    const tests::Scratch scratch;
    aio::run([](std::filesystem::path folder) -> Co<> {
        aio::FileSystem& files = aio::EventLoop::running().files();
        files.create_directories(folder / "pages");
        add_lines(files, folder, {1, 2, 3});
        files.write_all(folder / "pages/pages.jsonl", line_of(2) + line_of(3));
        add_lines(files, folder, {4, 5});
        for (const int number : {2, 3, 4, 5}) {
            EXPECT_EQ(status_of(files, folder, number), 200 + number);
        }
        co_return;
    }(scratch.path()));
}

TEST(PageIndex, WithoutAFileItIsMadeFromTheLog) {
    const tests::Scratch scratch;
    aio::run([](std::filesystem::path folder) -> Co<> {
        aio::FileSystem& files = aio::EventLoop::running().files();
        files.create_directories(folder / "pages");
        add_lines(files, folder, {1, 2});
        files.remove(folder / PageIndex::kName);
        add_lines(files, folder, {3});
        for (const int number : {1, 2, 3}) {
            EXPECT_EQ(status_of(files, folder, number), 200 + number);
        }
        co_return;
    }(scratch.path()));
}

}  // namespace
}  // namespace weft::crawl
