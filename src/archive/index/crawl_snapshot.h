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
#include "archive/index/page_entry.h"

namespace weft::archive {

// What a crawl has committed at one moment, for copies of it: a WACZ file, a mirror. The crawl may
// go on meanwhile: it only adds behind what the snapshot covers.
//
// Reads the page log once when it is made; of each WARC file some bytes are held in memory.
class CrawlSnapshot {
public:
    // Reads nothing outside of the folder. Throws UsageError if the folder holds no page log.
    // Throws ArchiveError if a page lies in a WARC file that is missing or too short, with the
    // file's name and the way out.
    CrawlSnapshot(aio::FileSystem& files, std::filesystem::path folder);

    const std::filesystem::path& folder() const { return folder_; }

    // Another process works on the crawl.
    bool is_running() const { return is_running_; }

    // The pages, in the order of the log; and the robots.txt files in the archive.
    void each_page(const std::function<void(const PageEntry&)>& take) const;
    void each_robots(const std::function<void(const PageEntry&)>& take) const;

    // The WARC files that hold what is committed, sorted; each up to the end of the last exchange.
    std::vector<std::string> warc_files() const;
    std::unique_ptr<aio::File> open_warc(const std::string& name) const;

private:
    struct Log {
        std::filesystem::path path;
        std::uint64_t size = 0;
    };

    static Log measure(aio::FileSystem& files, std::filesystem::path path);
    void read(const Log& log, const std::function<void(const PageEntry&)>& take) const;
    void note_place(const PageEntry& entry);
    std::uint64_t end_of_exchange(const std::string& name, std::uint64_t end,
                                  std::uint64_t size) const;

    // What the log says of a WARC file.
    struct Archived {
        std::uint64_t end = 0;  // Of the last answer that is committed, later of its exchange.
        std::uint64_t page_count = 0;
    };

    std::unique_ptr<aio::FileSystem> files_;  // Of the folder only.
    std::filesystem::path folder_;
    Log pages_;
    Log robots_;
    std::map<std::string, Archived> archived_;
    bool is_running_ = false;
};

// Whether the name is one of a WARC file and of nothing outside of the archive's folder: page logs
// come from outside.
bool is_safe_warc_name(std::string_view name);

}  // namespace weft::archive
