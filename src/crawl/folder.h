#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "aio/co.h"
#include "archive/page_log.h"
#include "archive/warc_writer.h"
#include "crawl/config.h"
#include "crawl/outcome.h"
#include "frontier/disk_frontier.h"

namespace weft::crawl {

struct FolderOptions {
    std::size_t max_per_host = 1;
    frontier::SyncMode sync = frontier::SyncMode::interval;
    Duration sync_interval = 200ms;
    std::uint64_t frontier_memory_bytes = 256_MiB;
    archive::WarcOptions warc;

    // The options of the crawl as the program keeps them, for Folder::settings() of a later run.
    std::string settings;
};

// A crawl as a directory:
//
//     archive/            WARC files
//     pages/pages.jsonl   a line for each URL that has reached its terminal state
//     reports/            for people
//     state/              the frontier, a lock, the settings
//
// However the last run ended, by kill -9 too, what open() gives agrees with itself: the frontier's
// log says which pages are done; whatever the archive and the page log hold beyond it is cut off,
// and those URLs wait again. So no page is lost and none is recorded twice.
//
// On one loop's thread.
class Folder {
public:
    static constexpr const char* kSettingsName = "state/crawl.toml";

    // Begins a new crawl. Throws UsageError if there is one already, and says how to go on with it;
    // StoreError or IoError if the folder cannot be written.
    static aio::Co<std::unique_ptr<Folder>> create(const Config& config, FolderOptions options);

    // Goes on with one. Throws UsageError if there is none, StoreError if another process works on
    // it (H92) or its files are damaged (H90).
    static aio::Co<std::unique_ptr<Folder>> open(const Config& config, FolderOptions options);

    ~Folder();

    // What create() was given. Needs no lock. Throws UsageError if the folder holds no crawl.
    static std::string settings(const std::filesystem::path& path);

    // URLs that failed, or were answered with a status that may pass, wait again, and their lines
    // leave the page log. A crash in the middle is mended by the next open(). Gives their number.
    // Before a crawler is at work.
    aio::Co<std::size_t> retry_failed(const Config& config);

    // Every outcome of earlier runs, in order.
    void each_outcome(const std::function<void(const Outcome&)>& take);

    frontier::DiskFrontier& frontier() { return *frontier_; }
    archive::WarcWriter* writer() { return writer_ ? &*writer_ : nullptr; }  // Null: no archive.

    // The page log holds every line that is committed, as far as its disk takes them.
    void flush_pages() { page_log_->flush(); }

    // Everything is on disk and the lock is free. Nothing may be used after.
    aio::Co<> finish();

private:
    Folder(const Config& config, FolderOptions options);

    aio::Co<> open_frontier();
    aio::Co<std::size_t> finish_retry(const Config& config);
    void drop_from_page_log(const std::unordered_set<std::string>& lines);
    void mend_archive();
    void mend_page_log();

    std::filesystem::path path_;
    FolderOptions options_;
    bool has_archive_;
    std::optional<archive::WarcWriter> writer_;
    std::optional<archive::PageLog> page_log_;
    std::vector<std::string> recovered_lines_;  // Committed after the last checkpoint.
    std::unique_ptr<frontier::DiskFrontier> frontier_;
};

}  // namespace weft::crawl
