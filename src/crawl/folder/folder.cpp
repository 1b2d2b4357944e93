#include "crawl/folder/folder.h"

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "archive/index/page_reader.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/folder/kept_settings.h"
#include "crawl/folder/page_record.h"
#include "crawl/repair/repair_plan.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kSettingsBytesMax = 64_MiB;  // A crawl may have a million seeds.
constexpr std::size_t kIdentityBytesMax = 4_KiB;

std::filesystem::path pages_path(const std::filesystem::path& folder) {
    return folder / "pages" / "pages.jsonl";
}

std::shared_ptr<aio::FileSystem> files_of(const Config& config, const FolderOptions& options) {
    if (options.files) return options.files;
    return aio::EventLoop::running().files().inside(config.output);
}

}  // namespace

CrawlFolder::CrawlFolder(const Config& config, FolderOptions options)
    : path_(config.output),
      options_(std::move(options)),
      files_(files_of(config, options_)),
      aside_(*files_, path_, aio::EventLoop::running().wall_time()),
      has_archive_(config.archive),
      has_text_(config.text != extract::TextForm::none) {}

CrawlFolder::~CrawlFolder() = default;

Co<std::unique_ptr<CrawlFolder>> CrawlFolder::create(const Config& config, FolderOptions options) {
    aio::FileSystem& all = aio::EventLoop::running().files();
    if (!options.files) all.create_directories(config.output);
    std::unique_ptr<CrawlFolder> folder(new CrawlFolder(config, std::move(options)));
    aio::FileSystem& files = *folder->files_;
    if (files.exists(folder->path_ / kSettingsName) || files.exists(pages_path(folder->path_))) {
        throw UsageError(
            fmt::format("{} holds a crawl already: go on with it by `weft resume {}`, or give "
                        "another folder with --output",
                        shown(folder->path_), shell_word(folder->path_.string())));
    }
    for (const char* name : {"pages", "reports", "state"}) {
        files.create_directories(folder->path_ / name);
    }
    co_await folder->open_frontier();
    folder->page_log_.emplace(files, pages_path(folder->path_));
    folder->page_index_.emplace(files, folder->path_ / PageIndex::kName, 0);
    if (folder->has_archive_) {
        folder->writer_.emplace(folder->path_ / "archive", folder->options_.warc, folder->files_);
        folder->robots_log_.emplace(files, folder->path_ / archive::kRobotsLogName,
                                    archive::kRobotsFormatLine);
    }
    if (folder->has_text_) folder->text_log_.emplace(files, folder->path_);
    if (config.earlier) {
        EarlierCrawl::keep_earlier(files, folder->path_, config.earlier->folder());
    }
    // A new directory entry survives a loss of power only once its directory is synced (H86). The
    // settings come last: a folder with settings is one that can be resumed.
    const std::filesystem::path parent = folder->path_.parent_path();
    files.sync_directory(folder->path_ / "pages");
    files.sync_directory(folder->path_);
    all.sync_directory(parent.empty() ? "." : parent);
    folder->note_identity();
    write_settings(files, folder->path_, folder->options_.settings);
    co_return folder;
}

Co<std::unique_ptr<CrawlFolder>> CrawlFolder::open(const Config& config, FolderOptions options) {
    std::unique_ptr<CrawlFolder> folder(new CrawlFolder(config, std::move(options)));
    aio::FileSystem& files = *folder->files_;
    finish_repair(files, folder->path_);  // A repair that was interrupted is completed first.
    files.create_directories(folder->path_ / "reports");
    refresh_settings_copy(files, folder->path_);
    const std::filesystem::path identity = folder->path_ / kIdentityName;
    const std::string now = files.identity(folder->path_);
    folder->may_have_lost_ = now.empty() || !files.exists(identity) ||
                             trim(files.read_all(identity, kIdentityBytesMax)) != now;
    const bool is_here = !folder->options_.frontier;  // The frontier's files.
    if (is_here && !files.exists(folder->path_ / "state" / "frontier" / "manifest")) {
        throw frontier::StoreError(
            fmt::format("{} is missing", shown(folder->path_ / "state/frontier/manifest")),
            fmt::format("put state/frontier back, or `weft repair {}` makes it again",
                        shell_word(folder->path_.string())));
    }
    // The order matters: the frontier takes the lock and says what is committed; check_archive(),
    // check_text() and mend_logs() throw before they change anything; the identity is noted once
    // all files agree.
    co_await folder->open_frontier();
    folder->check_archive();
    folder->check_text();
    folder->mend_logs();
    folder->mend_text();
    folder->mend_archive();
    folder->note_identity();
    co_await folder->finish_retry(config);
    // New settings hold for later runs too.
    const std::string& settings = folder->options_.settings;
    const bool is_new =
        !settings.empty() && CrawlFolder::settings(files, folder->path_) != settings;
    if (is_new) write_settings(files, folder->path_, settings);
    co_return folder;
}

Co<std::unique_ptr<CrawlFolder>> CrawlFolder::create_around_archive(const Config& config,
                                                                    FolderOptions options) {
    std::unique_ptr<CrawlFolder> folder(new CrawlFolder(config, std::move(options)));
    aio::FileSystem& files = *folder->files_;
    for (const char* name : {"pages", "reports", "state"}) {
        files.create_directories(folder->path_ / name);
    }
    co_await folder->open_frontier();
    folder->page_log_.emplace(files, pages_path(folder->path_));
    folder->page_index_.emplace(files, folder->path_ / PageIndex::kName, 0);
    if (folder->has_archive_) {
        folder->robots_log_.emplace(files, folder->path_ / archive::kRobotsLogName,
                                    archive::kRobotsFormatLine);
    }
    if (folder->has_text_) folder->text_log_.emplace(files, folder->path_);
    co_await folder->frontier_->checkpoint();  // Makes what robots.jsonl holds already committed.
    co_return folder;
}

// Notes the identity of the machine's memory (FileSystem::identity()). If it is the same at the
// next open(), no written data can have been lost, even without a sync.
void CrawlFolder::note_identity() {
    const std::string identity = files_->identity(path_);
    if (!identity.empty()) files_->write_all(path_ / kIdentityName, identity + "\n");
}

std::string CrawlFolder::settings(aio::FileSystem& files, const std::filesystem::path& path) {
    if (!files.exists(path / kSettingsName)) {
        throw UsageError(fmt::format(
            "{} holds no crawl to go on with: there is no {} in it{}", shown(path), kSettingsName,
            files.exists(path / kSettingsCopyName)
                ? fmt::format("; `weft repair {}` brings it back", shell_word(path.string()))
                : ""));
    }
    return files.read_all(path / kSettingsName, kSettingsBytesMax);
}

Co<> CrawlFolder::open_frontier() {
    frontier::DiskOptions disk;
    disk.files = files_;
    disk.may_have_lost = may_have_lost_;
    disk.max_per_host = options_.max_per_host;
    disk.urls_per_host_max = options_.urls_per_host_max;
    disk.memory_bytes = options_.frontier_memory_bytes;
    disk.sync = options_.sync;
    disk.sync_interval = options_.sync_interval;
    disk.crawl_files = this;
    if (options_.frontier) {
        frontier_ = co_await options_.frontier->open(path_, std::move(disk));
        co_return;
    }
    frontier_ =
        co_await frontier::DiskFrontier::open(path_ / "state" / "frontier", std::move(disk));
}

void CrawlFolder::hold_writes() {
    if (writer_) writer_->hold();
}

void CrawlFolder::flush_writes() {
    if (writer_) writer_->flush();
}

void CrawlFolder::add_outcome(std::string_view outcome) {
    // While the frontier recovers its log, the page log is not open yet: mend_logs() needs these
    // outcomes to check it.
    if (!page_log_) {
        recovered_outcomes_.emplace_back(outcome);
        return;
    }
    const CommittedLines lines = split_committed(outcome);
    if (robots_log_ && !lines.robots.empty()) robots_log_->add_line(lines.robots);
    if (lines.page.empty()) return;
    page_index_->add(lines.page, page_log_->size());
    page_log_->add_line(lines.page);
}

Co<> CrawlFolder::sync() {
    if (writer_) co_await writer_->sync();
    if (text_log_) co_await text_log_->sync();
    if (page_log_) co_await page_log_->sync();
    if (robots_log_ && robots_log_->size() != robots_synced_size_) {
        robots_synced_size_ = robots_log_->size();
        co_await robots_log_->sync();
    }
}

// The sizes of the logs (SavedSizes): up to there they are committed.
std::string CrawlFolder::save() {
    flush_pages();
    std::string sizes = std::to_string(page_log_->size());
    if (robots_log_) sizes += fmt::format(" {}", robots_log_->size());
    return sizes;
}

bool CrawlFolder::holds(std::string_view file, std::uint64_t size) {
    if (options_.without_missing) return true;
    const std::filesystem::path path = path_ / "archive" / file;
    return files_->exists(path) && files_->open(path, aio::OpenMode::read)->size() >= size;
}

void CrawlFolder::note_side(std::string_view file, std::uint64_t size) {
    if (text_log_ && file == TextLog::kName) text_log_->note_committed(size);
}

bool CrawlFolder::holds_side(std::string_view file, std::uint64_t size) {
    if (options_.without_missing || file != TextLog::kName) return true;
    const std::filesystem::path path = path_ / file;
    return files_->exists(path) && files_->open(path, aio::OpenMode::read)->size() >= size;
}

void CrawlFolder::each_outcome(const std::function<void(const Outcome&)>& take) {
    const std::unique_ptr<aio::File> pages = files_->open(pages_path(path_), aio::OpenMode::read);
    archive::read_pages(*pages, [&](const Outcome& entry) {
        // The writer remembers the same pages when it writes them itself: complete ones that are
        // stored with their body.
        const bool is_stored = entry.status == 200 && entry.content_bytes > 0 &&
                               !entry.archived.file.empty() && !entry.payload_digest.empty() &&
                               !entry.is_revisit && !entry.is_truncated;
        if (writer_ && is_stored) {
            writer_->remember(entry.payload_digest, {"", entry.url, entry.date});
        }
        take(entry);
    });
}

Co<> CrawlFolder::finish() {
    co_await frontier_->finish();
    page_index_->flush();
    co_await page_log_->sync();
    if (robots_log_) co_await robots_log_->sync();
    if (text_log_) co_await text_log_->sync();
}

}  // namespace weft::crawl
