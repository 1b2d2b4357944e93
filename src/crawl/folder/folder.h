#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "aio/task/co.h"
#include "archive/index/page_log.h"
#include "archive/warc/warc_writer.h"
#include "crawl/folder/page_index.h"
#include "crawl/repair/aside.h"
#include "crawl/run/config.h"
#include "crawl/visit/outcome.h"
#include "frontier/shards/disk_frontier.h"

namespace weft::crawl {

struct FolderOptions {
    std::size_t max_per_host = 1;

    // A host gets no more URLs than this; the rest is counted and not stored. None: no limit.
    std::optional<std::uint64_t> urls_per_host_max;

    frontier::SyncMode sync = frontier::SyncMode::interval;
    Duration sync_interval = 200ms;
    std::uint64_t frontier_memory_bytes = 256_MiB;
    archive::WarcOptions warc;

    // Where the folder is; null: the loop's files inside Config::output.
    std::shared_ptr<aio::FileSystem> files;

    // open() goes on though WARC files that are committed are missing or have lost their end: their
    // pages stay in the page log and are not asked for again.
    bool without_missing = false;

    // All that open() cuts is moved to repair/, however little it is.
    bool keeps_cut = false;

    // The options of the crawl as the program keeps them, for Folder::settings() of a later run.
    std::string settings;
};

// A crawl as a directory:
//
//     archive/            WARC files
//     indexes/            their index, made when the crawl ends
//     pages/pages.jsonl   a line for each URL that has reached its terminal state
//     pages/pages.idx     where in it each URL is (page_index.h)
//     pages/robots.jsonl  a line for each robots.txt in the archive
//     pages/crawl.toml    a copy of the settings, for repair()
//     reports/            for people
//     repair/             what was taken out of the files above; may be removed
//     state/              the frontier, a lock, the settings
//
// However the last run ended, by kill -9 too, what open() gives agrees with itself: the frontier's
// log says which pages are done; whatever the archive and the logs hold beyond it is cut off,
// and those URLs wait again. So no page is lost and none is recorded twice.
//
// Nothing that is committed is ever removed. If a file that the frontier speaks of is missing or
// too short, or a log knows pages that the frontier does not, open() throws and changes no such
// file. What it cuts was never committed; it is moved to repair/ unless it is small and the last
// run was surely killed on this machine since it started.
//
// The folder may come from somebody else: its files are opened without following links
// (aio::FileSystem::inside()).
//
// On one loop's thread.
class Folder {
public:
    static constexpr const char* kSettingsName = "state/crawl.toml";
    static constexpr const char* kSettingsCopyName = "pages/crawl.toml";
    static constexpr const char* kIdentityName = "state/identity";

    // Begins a new crawl. Throws UsageError if there is one already, and says how to go on with it;
    // StoreError or IoError if the folder cannot be written.
    static aio::Co<std::unique_ptr<Folder>> create(const Config& config, FolderOptions options);

    // Goes on with one, with the settings of `options` from now on, if they hold any. Throws
    // UsageError if there is none, StoreError if it is in use (H92) or damaged (H90).
    static aio::Co<std::unique_ptr<Folder>> open(const Config& config, FolderOptions options);

    // Begins the frontier and the page log anew beside an archive and its list of robots.txt files
    // that are there already, for rebuild(). REQUIRES: neither of the former is there.
    static aio::Co<std::unique_ptr<Folder>> create_around_archive(const Config& config,
                                                                  FolderOptions options);

    ~Folder();

    // What the last run was given. Needs no lock. Throws UsageError if the folder holds no crawl,
    // IoError if the settings cannot be read.
    static std::string settings(aio::FileSystem& files, const std::filesystem::path& path);

    // URLs that failed, were answered with a status that may pass, or were left out as a budget was
    // spent, wait again, and their lines leave the page log. A crash in the middle is mended by the
    // next open(). Gives their number. Before a crawler is at work.
    aio::Co<std::size_t> retry_failed(const Config& config);

    // Every outcome that the page log holds, in order: of earlier runs, after flush_pages(). The
    // archive then knows their contents, so that one that comes again is a revisit. From any loop's
    // thread.
    void each_outcome(const std::function<void(const Outcome&)>& take);

    // What open() found and did that a person should know of, one sentence each.
    const std::vector<std::string>& notes() const { return notes_; }

    // Of this folder only.
    aio::FileSystem& files() { return *files_; }
    const std::shared_ptr<aio::FileSystem>& shared_files() { return files_; }

    frontier::DiskFrontier& frontier() { return *frontier_; }
    archive::WarcWriter* writer() { return writer_ ? &*writer_ : nullptr; }  // Null: no archive.

    // The page log holds every line that is committed, as far as its disk takes them.
    void flush_pages() {
        page_log_->flush();
        page_index_->flush();
        if (robots_log_) robots_log_->flush();
    }

    // Everything is on disk and the lock is free. Nothing may be used after.
    aio::Co<> finish();

private:
    // What a log holds: the bytes that a checkpoint covers, and lines committed since.
    struct LogContent {
        std::filesystem::path path;
        std::uint64_t saved = 0;
        std::string lines;
    };

    Folder(const Config& config, FolderOptions options);

    aio::Co<> open_frontier();
    aio::Co<std::size_t> finish_retry(const Config& config);
    void drop_from_page_log(const std::unordered_set<std::string>& lines);
    void note_identity();
    void check_archive() const;
    void mend_archive();
    void cut(const std::string& name, std::uint64_t end);
    std::vector<LogContent> committed_logs() const;
    void mend_logs();
    void mend_log(const LogContent& content);
    std::uint64_t agreed_size(const LogContent& content, aio::File& log) const;
    void add_outcome(std::string_view outcome);

    std::filesystem::path path_;
    FolderOptions options_;
    std::shared_ptr<aio::FileSystem> files_;
    Aside aside_;
    bool may_have_lost_ = true;  // Power, since the last run; or this is a copy.
    std::vector<std::string> notes_;
    bool has_archive_;
    std::optional<archive::WarcWriter> writer_;
    std::optional<archive::PageLog> page_log_;
    std::optional<PageIndex> page_index_;
    std::optional<archive::PageLog> robots_log_;  // If there is an archive.
    std::uint64_t robots_synced_size_ = 0;
    std::vector<std::string> recovered_outcomes_;  // Committed after the last checkpoint.
    std::unique_ptr<frontier::DiskFrontier> frontier_;
};

}  // namespace weft::crawl
