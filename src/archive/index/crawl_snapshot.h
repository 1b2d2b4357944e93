#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "archive/index/archive_error.h"
#include "archive/index/outcome.h"

namespace weft::archive {

// What a crawl has committed at one moment, as the source for a copy: a WACZ file, a mirror. The
// crawl may continue meanwhile, because it only appends after what the snapshot covers.
//
// The constructor reads the logs once. In memory it keeps a few bytes for each WARC file. Blocks:
// for use on an executor thread.
class CrawlSnapshot {
public:
    // Reads nothing outside the folder. Throws UsageError if the folder has no page log. Throws
    // ArchiveError if a page is in a WARC file that is missing or too short; the message names the
    // file and says how to mend it.
    CrawlSnapshot(aio::FileSystem& files, std::filesystem::path folder);

    const std::filesystem::path& folder() const { return folder_; }

    // Another process was writing the crawl when the snapshot was made.
    bool is_running() const { return is_running_; }

    // Calls `take` for each page in the order of the log, or for each archived robots.txt file.
    // Throws IoError.
    void each_page(const std::function<void(const Outcome&)>& take) const;
    void each_robots(const std::function<void(const Outcome&)>& take) const;

    // The names of the WARC files with committed records, sorted. open_warc() opens one for
    // reading, up to the end of its last committed exchange.
    std::vector<std::string> warc_files() const;
    std::unique_ptr<aio::File> open_warc(const std::string& name) const;

private:
    struct Log {
        std::filesystem::path path;
        std::uint64_t size = 0;
    };

    static Log measure(aio::FileSystem& files, std::filesystem::path path);
    void read(const Log& log, const std::function<void(const Outcome&)>& take) const;
    void note_place(const Outcome& entry);
    std::uint64_t end_of_exchange(const std::string& name, std::uint64_t end,
                                  std::uint64_t size) const;

    // What the logs say about a WARC file.
    struct Archived {
        // Where the last committed response ends; at the end of the constructor, its exchange.
        std::uint64_t end = 0;
        std::uint64_t page_count = 0;
    };

    std::unique_ptr<aio::FileSystem> files_;  // Sees the folder only.
    std::filesystem::path folder_;
    Log pages_;
    Log robots_;
    std::map<std::string, Archived> archived_;
    bool is_running_ = false;
};

// Whether the name is that of a WARC file and cannot lead outside the archive's folder. Page logs
// may come from strangers, so names in them are not trusted.
bool is_safe_warc_name(std::string_view name);

}  // namespace weft::archive
