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
#include "crawl/folder/page_files.h"
#include "crawl/folder/page_index.h"
#include "crawl/repair/aside.h"
#include "crawl/run/config.h"
#include "crawl/visit/outcome.h"
#include "frontier/shards/disk_frontier.h"

namespace weft::crawl {

// Opens the frontier of a crawl on several machines, which is not in the crawl's folder.
class FrontierSource {
public:
    virtual ~FrontierSource() = default;

    // `disk` has what the frontier keeps in step with its own files in `folder`.
    virtual aio::Co<std::unique_ptr<frontier::KeptFrontier>> open(std::filesystem::path folder,
                                                                  frontier::DiskOptions disk) = 0;
};

struct FolderOptions {
    std::size_t max_per_host = 1;

    // The most URLs of one host in the frontier; further ones are counted, not stored. Empty: no
    // limit.
    std::optional<std::uint64_t> urls_per_host_max;

    frontier::SyncMode sync = frontier::SyncMode::interval;
    Duration sync_interval = 200ms;
    std::uint64_t frontier_memory_bytes = 256_MiB;
    archive::WarcOptions warc;

    // The files of the folder. Null: the loop's files, restricted to Config::output.
    std::shared_ptr<aio::FileSystem> files;

    // open() continues although committed WARC files are missing or have lost their end. Their
    // pages stay in the page log and are not fetched again.
    bool without_missing = false;

    // open() moves everything that it cuts off to repair/, however small it is.
    bool keeps_cut = false;

    // Opens the frontier of a crawl whose queue is not in this folder. Null: it is.
    std::shared_ptr<FrontierSource> frontier;

    // The program's options, as text. A later run reads them with Folder::settings().
    std::string settings;
};

// The folder of a crawl on disk:
//
//     archive/            WARC files
//     indexes/            their index, made when the crawl ends
//     pages/pages.jsonl   a line for each URL that has reached its terminal state
//     pages/pages.idx     where in it each URL is (page_index.h)
//     pages/text.jsonl    the text of each HTML page, if Config::text wants it
//     pages/robots.jsonl  a line for each robots.txt in the archive
//     pages/crawl.toml    a copy of the settings, for repair()
//     reports/            for people
//     repair/             what was taken out of the files above; may be removed
//     state/              the frontier, a lock, the settings
//
// Invariant: after open() all files agree, however the last run ended, kill -9 included. The
// frontier's log says which pages are done. What the archive and the page logs hold beyond it is
// cut off, and those URLs wait again. So no page is lost and none is recorded twice.
//
// Nothing that is committed is ever removed. If a file that the frontier names is missing or too
// short, or if a log has pages that the frontier does not know, open() throws and changes none of
// these files. What open() cuts off was never committed. It is moved to repair/, unless it is small
// and a kill on this machine explains it.
//
// The folder may come from somebody else: its files are opened without following links
// (aio::FileSystem::inside()).
//
// Used on one loop's thread, except each_outcome(). Outlives the crawlers that use its frontier and
// writer.
class CrawlFolder final : private frontier::CrawlFiles {
public:
    static constexpr const char* kSettingsName = "state/crawl.toml";
    static constexpr const char* kSettingsCopyName = "pages/crawl.toml";
    static constexpr const char* kIdentityName = "state/identity";

    // Begins a new crawl. Throws UsageError if the folder holds a crawl already (the message says
    // how to resume it), StoreError or IoError if the folder cannot be written.
    static aio::Co<std::unique_ptr<CrawlFolder>> create(const Config& config,
                                                        FolderOptions options);

    // Continues a crawl. If `options` have settings, they replace the old ones. Throws UsageError
    // if there is no crawl, StoreError if it is in use (H92) or damaged (H90).
    static aio::Co<std::unique_ptr<CrawlFolder>> open(const Config& config, FolderOptions options);

    // For rebuild(): begins a new frontier and page log beside an archive and its list of
    // robots.txt files that are there already. REQUIRES: there is no frontier and no page log.
    static aio::Co<std::unique_ptr<CrawlFolder>> create_around_archive(const Config& config,
                                                                       FolderOptions options);

    ~CrawlFolder() override;

    // The settings of the last run. Does not lock the folder. Throws UsageError if the folder holds
    // no crawl, IoError if the settings cannot be read.
    static std::string settings(aio::FileSystem& files, const std::filesystem::path& path);

    // Queues URLs again that failed, whose status is one of Config::retry_statuses, or that were
    // skipped because a budget was spent, and removes their lines from the page log. After a crash
    // in the middle the next open() completes this. Returns their number. REQUIRES: no crawler uses
    // the folder yet.
    aio::Co<std::size_t> retry_failed(const Config& config);

    // Calls `take` for every outcome in the page log, in order. Also tells the archive's writer the
    // stored contents, so that one that comes again becomes a revisit record. The log has all
    // earlier runs, and of this run what flush_pages() has written. May be called from any thread.
    void each_outcome(const std::function<void(const Outcome&)>& take);

    // What open() found and did, for the user, one sentence each.
    const std::vector<std::string>& notes() const { return notes_; }

    // The files, restricted to this folder.
    aio::FileSystem& files() { return *files_; }
    const std::shared_ptr<aio::FileSystem>& shared_files() { return files_; }

    frontier::KeptFrontier& frontier() { return *frontier_; }
    archive::WarcWriter* writer() { return writer_ ? &*writer_ : nullptr; }  // Null: no archive.

    TextLog* text_log() { return text_log_ ? &*text_log_ : nullptr; }  // Null: no text is kept.
    PageFiles page_files() { return {writer(), text_log()}; }

    // Writes the buffered lines of all committed pages to the page logs.
    void flush_pages() {
        page_log_->flush();
        page_index_->flush();
        if (robots_log_) robots_log_->flush();
    }

    // Writes everything to disk and releases the lock. The frontier and the writer must not be used
    // afterwards.
    aio::Co<> finish();

private:
    // What a log should hold: the bytes that the last checkpoint covers, and the lines committed
    // since.
    struct LogContent {
        std::filesystem::path path;
        std::uint64_t saved = 0;
        std::string lines;
    };

    CrawlFolder(const Config& config, FolderOptions options);

    aio::Co<> open_frontier();
    aio::Co<std::size_t> finish_retry(const Config& config);
    void drop_from_page_log(const std::unordered_set<std::string>& lines);
    void note_identity();
    void check_archive() const;
    void mend_archive();
    std::uint64_t committed_text_size() const;
    void check_text() const;
    void mend_text();
    void cut(const std::filesystem::path& path, std::uint64_t end);
    std::vector<LogContent> committed_logs() const;
    void mend_logs();
    void mend_log(const LogContent& content);
    std::uint64_t agreed_size(const LogContent& content, aio::File& log) const;
    void hold_writes() override;
    void flush_writes() override;
    void add_outcome(std::string_view outcome) override;
    aio::Co<> sync() override;
    std::string save() override;
    bool holds(std::string_view file, std::uint64_t size) override;
    void note_side(std::string_view file, std::uint64_t size) override;
    bool holds_side(std::string_view file, std::uint64_t size) override;

    std::filesystem::path path_;
    FolderOptions options_;
    std::shared_ptr<aio::FileSystem> files_;
    Aside aside_;
    bool may_have_lost_ = true;  // Files may lack unsynced data: the machine was restarted since
                                 // the last run, or the folder is a copy.
    std::vector<std::string> notes_;
    bool has_archive_;
    bool has_text_;
    std::optional<archive::WarcWriter> writer_;
    std::optional<archive::PageLog> page_log_;
    std::optional<PageIndex> page_index_;
    std::optional<archive::PageLog> robots_log_;  // Only if there is an archive.
    std::optional<TextLog> text_log_;             // Only if text is kept.
    std::uint64_t robots_synced_size_ = 0;
    std::vector<std::string> recovered_outcomes_;  // Outcomes committed after the last checkpoint.
    std::unique_ptr<frontier::KeptFrontier> frontier_;
};

}  // namespace weft::crawl
