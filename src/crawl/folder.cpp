#include "crawl/folder.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "aio/loop.h"
#include "archive/page_reader.h"
#include "archive/warc_repair.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "crawl/earlier_crawl.h"
#include "crawl/page_record.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kSettingsBytesMax = 64_MiB;  // A crawl may have a million seeds.

std::filesystem::path pages_path(const std::filesystem::path& folder) {
    return folder / "pages" / "pages.jsonl";
}

std::string shown(const std::filesystem::path& path) {
    return escape_for_terminal(path.string());
}

// What DiskOptions::save gives: how much of the logs a checkpoint covers.
struct SavedSizes {
    std::uint64_t pages = archive::kPagesFormatLine.size();
    std::uint64_t robots = archive::kRobotsFormatLine.size();

    static SavedSizes parse(std::string_view saved) {
        SavedSizes sizes;
        const char* const end = saved.data() + saved.size();
        const auto pages = std::from_chars(saved.data(), end, sizes.pages);
        if (pages.ptr != end) std::from_chars(pages.ptr + 1, end, sizes.robots);
        return sizes;
    }
};

}  // namespace

Folder::Folder(const Config& config, FolderOptions options)
    : path_(config.output), options_(std::move(options)), has_archive_(config.archive) {}

Folder::~Folder() = default;

Co<std::unique_ptr<Folder>> Folder::create(const Config& config, FolderOptions options) {
    aio::FileSystem& files = aio::EventLoop::running().files();
    std::unique_ptr<Folder> folder(new Folder(config, std::move(options)));
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
    folder->page_log_.emplace(pages_path(folder->path_));
    folder->page_index_.emplace(folder->path_ / PageIndex::kName, 0);
    if (folder->has_archive_) {
        folder->writer_.emplace(folder->path_ / "archive", folder->options_.warc);
        folder->robots_log_.emplace(folder->path_ / archive::kRobotsLogName,
                                    archive::kRobotsFormatLine);
    }
    if (config.earlier) {
        files.write_all(folder->path_ / EarlierCrawl::kEarlierName,
                        config.earlier->folder().string() + "\n");
    }
    // The folder and its entries survive a loss of power with what is in them (H86).
    const std::filesystem::path parent = folder->path_.parent_path();
    files.sync_directory(folder->path_ / "pages");
    files.sync_directory(folder->path_);
    files.sync_directory(parent.empty() ? "." : parent);
    // Last: what has settings can be resumed.
    files.write_all(folder->path_ / kSettingsName, folder->options_.settings);
    co_return folder;
}

Co<std::unique_ptr<Folder>> Folder::open(const Config& config, FolderOptions options) {
    std::unique_ptr<Folder> folder(new Folder(config, std::move(options)));
    aio::EventLoop::running().files().create_directories(folder->path_ / "reports");
    co_await folder->open_frontier();
    folder->mend_logs();
    folder->mend_archive();
    co_await folder->finish_retry(config);
    // What this run is told holds for later ones too.
    aio::FileSystem& files = aio::EventLoop::running().files();
    const std::filesystem::path place = folder->path_ / kSettingsName;
    const std::string& settings = folder->options_.settings;
    if (!settings.empty() &&
        (!files.exists(place) || files.read_all(place, kSettingsBytesMax) != settings)) {
        files.write_all(place, settings);
    }
    co_return folder;
}

Co<std::unique_ptr<Folder>> Folder::create_around_archive(const Config& config,
                                                          FolderOptions options) {
    std::unique_ptr<Folder> folder(new Folder(config, std::move(options)));
    aio::FileSystem& files = aio::EventLoop::running().files();
    for (const char* name : {"pages", "reports", "state"}) {
        files.create_directories(folder->path_ / name);
    }
    co_await folder->open_frontier();
    folder->page_log_.emplace(pages_path(folder->path_));
    folder->page_index_.emplace(folder->path_ / PageIndex::kName, 0);
    if (folder->has_archive_) {
        folder->robots_log_.emplace(folder->path_ / archive::kRobotsLogName,
                                    std::numeric_limits<std::uint64_t>::max(),
                                    archive::kRobotsFormatLine);
    }
    co_await folder->frontier_->checkpoint();  // What is in that list already is committed.
    co_return folder;
}

std::string Folder::settings(const std::filesystem::path& path) {
    aio::SystemFiles files;
    if (!files.exists(path / kSettingsName)) {
        throw UsageError(fmt::format("{} holds no crawl to go on with: {}", shown(path),
                                     files.exists(path)
                                         ? fmt::format("there is no {} in it", kSettingsName)
                                         : "there is no such folder"));
    }
    return files.read_all(path / kSettingsName, kSettingsBytesMax);
}

Co<> Folder::open_frontier() {
    frontier::DiskOptions disk;
    disk.max_per_host = options_.max_per_host;
    disk.memory_bytes = options_.frontier_memory_bytes;
    disk.sync = options_.sync;
    disk.sync_interval = options_.sync_interval;
    disk.before_sync = [this]() -> Co<> {
        if (writer_) co_await writer_->sync();
        if (page_log_) co_await page_log_->sync();
        if (robots_log_ && robots_log_->size() != robots_synced_size_) {
            robots_synced_size_ = robots_log_->size();
            co_await robots_log_->sync();
        }
    };
    disk.on_outcome = [this](std::string_view outcome) {
        if (page_log_) {
            add_outcome(outcome);
        } else {
            recovered_outcomes_.emplace_back(outcome);
        }
    };
    disk.save = [this] {
        flush_pages();
        std::string sizes = std::to_string(page_log_->size());
        if (robots_log_) sizes += fmt::format(" {}", robots_log_->size());
        return sizes;
    };
    aio::FileSystem& files = aio::EventLoop::running().files();
    disk.holds = [&files, archive = path_ / "archive"](std::string_view name, std::uint64_t size) {
        const std::filesystem::path path = archive / name;
        return files.exists(path) && files.open(path, aio::OpenMode::read)->size() >= size;
    };
    frontier_ =
        co_await frontier::DiskFrontier::open(path_ / "state" / "frontier", std::move(disk));
}

// The logs are what the last checkpoint covered, and the lines committed since.
void Folder::mend_logs() {
    const SavedSizes sizes = SavedSizes::parse(frontier_->recovered().saved);
    page_log_.emplace(pages_path(path_), sizes.pages);
    page_index_.emplace(path_ / PageIndex::kName, page_log_->size());
    if (has_archive_) {
        robots_log_.emplace(path_ / archive::kRobotsLogName, sizes.robots,
                            archive::kRobotsFormatLine);
    }
    for (const std::string& outcome : std::exchange(recovered_outcomes_, {})) add_outcome(outcome);
    flush_pages();
}

void Folder::add_outcome(std::string_view outcome) {
    const CommittedLines lines = split_committed(outcome);
    if (robots_log_ && !lines.robots.empty()) robots_log_->add_line(lines.robots);
    if (lines.page.empty()) return;
    page_index_->add(lines.page, page_log_->size());
    page_log_->add_line(lines.page);
}

void Folder::mend_archive() {
    if (!has_archive_) return;
    aio::FileSystem& files = aio::EventLoop::running().files();
    const std::filesystem::path archive = path_ / "archive";
    files.create_directories(archive);
    const auto& committed = frontier_->recovered().archived;
    archive::WarcOptions warc = options_.warc;
    for (const std::string& name : files.list(archive)) {
        if (!archive::is_warc_name(name)) continue;
        const auto found = committed.find(name);
        if (found == committed.end()) {
            cut(name, 0);  // It holds nothing that is committed.
            continue;
        }
        ++warc.first_number;
        cut(name, found->second.offset + found->second.length);
    }
    files.sync_directory(archive);
    writer_.emplace(archive, std::move(warc));
}

// The file holds nothing behind `end`; with nothing before it either, it goes.
void Folder::cut(const std::string& name, std::uint64_t end) {
    aio::FileSystem& files = aio::EventLoop::running().files();
    const std::filesystem::path path = path_ / "archive" / name;
    const std::unique_ptr<aio::File> file = files.open(path, aio::OpenMode::append);
    const bool has_more = file->size() > end;
    if (has_more && !options_.aside.empty()) {
        files.create_directories(options_.aside);
        const std::unique_ptr<aio::File> kept =
            files.open(options_.aside / fmt::format("{}.at-{}", name, end), aio::OpenMode::create);
        archive::copy_bytes(*files.open(path, aio::OpenMode::read), {end, file->size()}, *kept);
        kept->sync();
    }
    if (end == 0) {  // Also if it is empty: its name may be the next file's.
        files.remove(path);
        return;
    }
    if (!has_more) return;
    file->truncate(end);
    file->sync();
}

void Folder::each_outcome(const std::function<void(const Outcome&)>& take) const {
    const std::unique_ptr<aio::File> pages =
        aio::EventLoop::running().files().open(pages_path(path_), aio::OpenMode::read);
    archive::read_pages(*pages, [&](const archive::PageEntry& entry) { take(to_outcome(entry)); });
}

Co<> Folder::finish() {
    co_await frontier_->finish();
    page_index_->flush();
    co_await page_log_->sync();
    if (robots_log_) co_await robots_log_->sync();
}

}  // namespace weft::crawl
