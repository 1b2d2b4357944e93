#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aio/files/files.h"
#include "base/clock.h"
#include "crawl/visit/outcome.h"

namespace weft::cli {

// A line of Heritrix's crawl.log, its columns parted by blanks: when it was written, status, size,
// URL, path of discovery, the page it was found on, type, thread, begin and duration, digest,
// source tag, annotations. Where there is no status a negative number says why, as Heritrix has it:
// -1 no such name, -2 no connection, -3 broken off, -4 too slow, -5 other failures, -61 no
// robots.txt, -9998 robots.txt says no, -5003 a budget is spent, -5000 refused for another reason.
// Of the path only its length and its last step are known: "3+L".
std::string heritrix_line(const crawl::Outcome& outcome, WallTime now);

// The same as a JSON object, with names.
std::string json_log_line(const crawl::Outcome& outcome, WallTime now);

// What happened, in the order in which it did: logs/crawl.log, logs/crawl.jsonl. Written a block at
// a time and at least every second while lines come. A log that cannot be written ends no crawl;
// failure() tells: empty, or what went wrong. On one loop.
class CrawlLog {
public:
    // The values of --log-format.
    static std::vector<std::string> names() { return {"heritrix", "jsonl"}; }

    CrawlLog(aio::FileSystem& files, const std::filesystem::path& folder,
             const std::vector<std::string>& forms);
    ~CrawlLog();

    void add(const crawl::Outcome& outcome);
    void flush();
    const std::string& failure() const { return failure_; }

private:
    struct Sink {
        std::string (*write)(const crawl::Outcome&, WallTime);
        std::unique_ptr<aio::File> file;
        std::string pending;
        bool has_failed = false;
    };

    std::vector<Sink> sinks_;
    TimePoint flushed_{};
    std::string failure_;
};

}  // namespace weft::cli
