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

// A line of Heritrix's crawl.log. The columns, separated by blanks: time of writing, status, size,
// URL, discovery path, referrer, type, thread, begin and duration, digest, source tag, annotations.
//
// If there is no status, a negative number gives the reason, as in Heritrix: -1 name not found, -2
// no connection, -3 connection lost, -4 timeout, -5 other failures, -61 no robots.txt, -9998 denied
// by robots.txt, -5003 a budget is spent, -5000 refused for another reason. Only the length and the
// last step of the discovery path are known: "3+L".
std::string heritrix_line(const crawl::Outcome& outcome, WallTime now);

// The same as a JSON object with named members.
std::string json_log_line(const crawl::Outcome& outcome, WallTime now);

// Logs of the outcomes in their order: logs/crawl.log and logs/crawl.jsonl. Lines are written in
// blocks, and at least every second while lines come. A log that cannot be written does not end the
// crawl; failure() then says why, else it is empty. Used on one loop.
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
