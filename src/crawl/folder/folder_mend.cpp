#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "archive/warc/warc_repair.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "crawl/folder/folder.h"
#include "crawl/folder/folder_retry.h"
#include "crawl/folder/page_record.h"

// How Folder::open() makes the archive and the logs agree with the frontier, which was opened just
// before. First everything is checked; only then is anything cut, and only what was never
// committed.
namespace weft::crawl {

namespace {

constexpr std::size_t kPieceBytes = 64_KiB;

// A longer uncommitted tail is kept in repair/ even if a kill explains it.
constexpr std::uint64_t kTailThrownAwayMax = 64_KiB;

std::uint64_t end_of(const ArchivePlace& place) {
    return place.offset + place.length;
}

// What CrawlFolder::save() returned: how many bytes of the logs the last checkpoint covers. Empty
// if there was no checkpoint.
struct SavedSizes {
    std::optional<std::uint64_t> pages;
    std::optional<std::uint64_t> robots;

    static SavedSizes parse(std::string_view saved) {
        SavedSizes sizes;
        const char* const end = saved.data() + saved.size();
        std::uint64_t number = 0;
        const auto pages = std::from_chars(saved.data(), end, number);
        if (pages.ec != std::errc()) return sizes;
        sizes.pages = number;
        if (pages.ptr == end) return sizes;
        const auto robots = std::from_chars(pages.ptr + 1, end, number);
        if (robots.ec == std::errc()) sizes.robots = number;
        return sizes;
    }
};

// The number in the name of a WARC file: 12 for "weft-20261116061500-00012.warc.gz".
unsigned number_of(std::string_view name) {
    const std::size_t dash = name.rfind('-');
    unsigned number = 0;
    if (dash != std::string_view::npos) {
        std::from_chars(name.data() + dash + 1, name.data() + name.size(), number);
    }
    return number;
}

}  // namespace

// Throws StoreError unless every WARC file with committed pages is there and long enough.
void CrawlFolder::check_archive() const {
    if (!has_archive_ || options_.without_missing) return;
    std::string first;
    std::size_t count = 0;
    for (const auto& [name, place] : frontier_->recovered().archived) {
        const std::filesystem::path path = path_ / "archive" / name;
        std::string complaint;
        if (!files_->exists(path)) {
            complaint = fmt::format("{} is missing", shown(path));
        } else {
            const std::uint64_t size = files_->open(path, aio::OpenMode::read)->size();
            if (size >= end_of(place)) continue;
            complaint = fmt::format("{} has lost its end: {} of {} bytes are left", shown(path),
                                    size, end_of(place));
        }
        if (count++ == 0) first = complaint;
    }
    if (count == 0) return;
    const std::string folder = shell_word(path_.string());
    const std::string more = count > 1 ? fmt::format(" (and {} more like it)", count - 1) : "";
    throw frontier::StoreError(
        first + more,
        fmt::format("pages of this crawl are in it, and nothing was changed. Put the file back; or "
                    "`weft repair {}` keeps the rest and has these pages fetched again; or `weft "
                    "resume --without-missing {}` goes on without them",
                    folder, folder));
}

// The page log, and robots.jsonl if there is an archive, as they should be. A log that no
// checkpoint covers begins with its format line.
std::vector<CrawlFolder::LogContent> CrawlFolder::committed_logs() const {
    const SavedSizes sizes = SavedSizes::parse(frontier_->recovered().saved);
    LogContent pages{.path = path_ / "pages" / "pages.jsonl", .saved = sizes.pages.value_or(0)};
    LogContent robots{.path = path_ / archive::kRobotsLogName, .saved = sizes.robots.value_or(0)};
    if (!sizes.pages) pages.lines = archive::kPagesFormatLine;
    if (!sizes.robots) robots.lines = archive::kRobotsFormatLine;
    for (const std::string& outcome : recovered_outcomes_) {
        const CommittedLines lines = split_committed(outcome);
        pages.lines += lines.page;
        robots.lines += lines.robots;
    }
    std::vector<LogContent> logs{std::move(pages)};
    if (has_archive_) logs.push_back(std::move(robots));
    return logs;
}

// Makes the logs equal to what is committed: the bytes that the last checkpoint covers, and the
// lines committed since.
void CrawlFolder::mend_logs() {
    std::vector<LogContent> logs = committed_logs();
    if (files_->exists(path_ / kRetryListName)) {
        // A retry_failed() was interrupted while it removed lines, so the log may be shorter than
        // at the checkpoint. finish_retry() completes it.
        const bool is_there = files_->exists(logs[0].path);
        const std::uint64_t size =
            is_there ? files_->open(logs[0].path, aio::OpenMode::read)->size() : 0;
        logs[0].saved = std::min(logs[0].saved, size);
    }
    for (const LogContent& log : logs) {
        const std::unique_ptr<aio::File> file = files_->open(log.path, aio::OpenMode::append);
        agreed_size(log, *file);  // May throw: all logs are checked before the first is changed.
    }
    for (const LogContent& log : logs) mend_log(log);

    page_index_.emplace(*files_, path_ / PageIndex::kName, logs[0].saved);
    std::uint64_t offset = logs[0].saved;
    if (offset == 0) offset = archive::kPagesFormatLine.size();
    for (const std::string& outcome : std::exchange(recovered_outcomes_, {})) {
        const std::string_view line = split_committed(outcome).page;
        if (!line.empty()) page_index_->add(line, offset);
        offset += line.size();
    }
    page_index_->flush();
    page_log_.emplace(*files_, logs[0].path);
    if (has_archive_) {
        robots_log_.emplace(*files_, logs[1].path, archive::kRobotsFormatLine);
    }
}

// The number of bytes up to which the log is as it should be. Throws StoreError if it has lost
// lines that the frontier cannot restore, or if it has lines that the frontier does not know.
std::uint64_t CrawlFolder::agreed_size(const LogContent& content, aio::File& log) const {
    const std::uint64_t size = log.size();
    const std::string folder = shell_word(path_.string());
    if (size < content.saved) {
        throw frontier::StoreError(
            fmt::format("{} has lost its end: {} of {} bytes are left", shown(content.path), size,
                        content.saved),
            fmt::format("put the file back, or `weft repair {}` makes it again from the archive",
                        folder));
    }
    std::string piece(kPieceBytes, '\0');
    std::uint64_t agreed = content.saved;
    for (std::string_view wanted = content.lines; !wanted.empty();) {
        const std::size_t count = log.read_at(agreed, piece);
        const std::string_view found = std::string_view(piece).substr(0, count);
        const auto [end, other] = std::ranges::mismatch(found, wanted);
        const auto same = static_cast<std::size_t>(end - found.begin());
        agreed += same;
        wanted.remove_prefix(same);
        if (same < found.size() || count == 0) break;
    }
    const bool has_all = agreed == content.saved + content.lines.size();
    if (!has_all || size == agreed || may_have_lost_) return agreed;
    // A line that was being written when the crawl was killed was committed before.
    throw frontier::StoreError(
        fmt::format("the frontier has lost its end: {} knows more, {} bytes behind byte {}",
                    shown(content.path), size - agreed, agreed),
        fmt::format("nothing was changed; put state/frontier back, or `weft repair {}` makes it "
                    "anew",
                    folder));
}

// Moves what was not committed to repair/, then appends the committed lines that are missing.
void CrawlFolder::mend_log(const LogContent& content) {
    const std::unique_ptr<aio::File> log = files_->open(content.path, aio::OpenMode::append);
    const std::uint64_t agreed = agreed_size(content, *log);
    if (log->size() > agreed) {
        const std::string name =
            fmt::format("{}.not-committed-at-{}", content.path.filename().string(), agreed);
        aside_.copy_tail(*log, agreed, name);
        notes_.push_back(fmt::format("{}: what was not committed is put aside in {}",
                                     shown(content.path), shown(aside_.path() / name)));
        log->truncate(agreed);
    }
    log->append(std::string_view(content.lines).substr(agreed - content.saved));
    log->sync();
}

// How much of text.jsonl is committed. With FolderOptions::without_missing it may be more than
// there is.
std::uint64_t CrawlFolder::committed_text_size() const {
    const auto& sides = frontier_->recovered().sides;
    const auto found = sides.find(TextLog::kName);
    return found == sides.end() ? 0 : found->second;
}

// Throws StoreError if committed lines of text.jsonl are missing.
void CrawlFolder::check_text() const {
    const std::uint64_t committed = committed_text_size();
    if (committed == 0 || options_.without_missing) return;
    const std::filesystem::path path = path_ / TextLog::kName;
    const bool is_there = files_->exists(path);
    const std::uint64_t size = is_there ? files_->open(path, aio::OpenMode::read)->size() : 0;
    if (size >= committed) return;
    const std::string folder = shell_word(path_.string());
    throw frontier::StoreError(
        is_there ? fmt::format("{} has lost its end: {} of {} bytes are left", shown(path), size,
                               committed)
                 : fmt::format("{} is missing", shown(path)),
        fmt::format("nothing was changed. Put the file back; or `weft repair {}` makes its lines "
                    "again from the archive; or `weft resume --without-missing {}` goes on without "
                    "them",
                    folder, folder));
}

// Cuts text.jsonl behind its last committed line, and opens it for new ones.
void CrawlFolder::mend_text() {
    const std::filesystem::path path = path_ / TextLog::kName;
    const std::uint64_t committed = committed_text_size();
    if (files_->exists(path) && committed > 0) {
        cut(path, committed);
    } else if (files_->exists(path) && has_text_) {
        // None of it was committed, but somebody else may have made it, such as `weft extract`.
        const std::string kept = "text.jsonl.not-committed";
        const bool is_empty = files_->open(path, aio::OpenMode::read)->size() == 0;
        if (!is_empty) {
            aside_.take(path, kept);
            notes_.push_back(fmt::format("{} is not of this crawl; it is put aside in {}",
                                         shown(path), shown(aside_.path() / kept)));
        }
    }
    if (has_text_) text_log_.emplace(*files_, path_);
}

// Cuts every WARC file after its last committed record, and opens the writer for new files. Numbers
// of committed files are never used again.
void CrawlFolder::mend_archive() {
    if (!has_archive_) return;
    const std::filesystem::path archive = path_ / "archive";
    files_->create_directories(archive);
    const auto& committed = frontier_->recovered().archived;
    archive::WarcOptions warc = options_.warc;
    for (const auto& [name, place] : committed) {
        warc.first_number = std::max(warc.first_number, number_of(name) + 1);
    }
    for (const std::string& name : files_->list(archive)) {
        if (!archive::is_warc_name(name)) continue;
        const auto found = committed.find(name);
        cut(archive / name, found == committed.end() ? 0 : end_of(found->second));
    }
    files_->sync_directory(archive);
    writer_.emplace(archive, std::move(warc), files_);
}

// Cuts a file at `end`, the end of what is committed. If that is 0, the file is removed.
void CrawlFolder::cut(const std::filesystem::path& path, std::uint64_t end) {
    const std::string name = path.filename().string();
    const std::unique_ptr<aio::File> file = files_->open(path, aio::OpenMode::append);
    const std::uint64_t size = file->size();
    if (size <= end && end > 0) return;
    const bool is_in_doubt = may_have_lost_ || size - end > kTailThrownAwayMax;
    const bool is_kept = size > end && (is_in_doubt || options_.keeps_cut);
    if (is_kept) {
        const std::string kept = end == 0 ? fmt::format("{}.not-committed", name)
                                          : fmt::format("{}.not-committed-at-{}", name, end);
        notes_.push_back(fmt::format("{}: {} bytes that were not committed are put aside in {}",
                                     shown(path), size - end, shown(aside_.path() / kept)));
        if (end == 0) {
            aside_.take(path, kept);
            return;
        }
        aside_.copy_tail(*file, end, kept);
    }
    if (end == 0) {  // Also if it is empty: the writer may give the next file the same name.
        files_->remove(path);
        return;
    }
    file->truncate(end);
    file->sync();
}

}  // namespace weft::crawl
