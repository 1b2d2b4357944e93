#include "archive/index/crawl_snapshot.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "archive/index/page_reader.h"
#include "archive/warc/file_slice.h"
#include "archive/warc/record_packer.h"
#include "archive/warc/warc_file.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/shell_word.h"

namespace weft::archive {

namespace {

// A bound on memory for a crafted page log.
constexpr std::size_t kWarcFileCountMax = 1'000'000;

std::string way_out(const std::filesystem::path& folder) {
    return fmt::format("put the file back, or let `weft repair {}` make the crawl whole without it",
                       shell_word(folder.string()));
}

bool is_locked(aio::FileSystem& files, const std::filesystem::path& folder) {
    const std::filesystem::path lock = folder / "state" / "frontier" / "lock";
    try {
        return files.exists(lock) && !files.try_lock(lock);
    } catch (const aio::IoError&) {
        return false;  // If we may not write here, no crawl on this machine does either.
    }
}

}  // namespace

bool is_safe_warc_name(std::string_view name) {
    return is_warc_name(name) && !name.contains('/') && !name.contains('\0') &&
           !name.starts_with('.');
}

CrawlSnapshot::CrawlSnapshot(aio::FileSystem& files, std::filesystem::path folder)
    : files_(files.exists(folder) ? files.inside(folder) : nullptr), folder_(std::move(folder)) {
    const std::filesystem::path pages = folder_ / "pages" / "pages.jsonl";
    if (!files_ || !files_->exists(pages)) {
        throw UsageError(fmt::format("{} holds no crawl: there is no pages/pages.jsonl in it",
                                     escape_for_terminal(folder_.string())));
    }
    is_running_ = is_locked(*files_, folder_);
    // A page is logged after its robots.txt. So the page log is measured first: then the robots.txt
    // of every page in the snapshot is in it too.
    pages_ = measure(*files_, pages);
    robots_ = measure(*files_, folder_ / kRobotsLogName);
    each_page([this](const Outcome& entry) { note_place(entry); });
    each_robots([this](const Outcome& entry) { note_place(entry); });
    for (auto& [name, archived] : archived_) {
        const std::filesystem::path path = folder_ / "archive" / name;
        const std::string pages_in_it = fmt::format(
            "{} page{} of the crawl {} in it", archived.page_count,
            archived.page_count == 1 ? "" : "s", archived.page_count == 1 ? "is" : "are");
        if (!files_->exists(path)) {
            throw ArchiveError(fmt::format("{} is missing, and {}: {}",
                                           escape_for_terminal(path.string()), pages_in_it,
                                           way_out(folder_)));
        }
        const std::uint64_t size = files_->open(path, aio::OpenMode::read)->size();
        if (size < archived.end) {
            throw ArchiveError(fmt::format(
                "{} has lost its end: it has {} bytes where the page log counts on {}, and {}: {}",
                escape_for_terminal(path.string()), size, archived.end, pages_in_it,
                way_out(folder_)));
        }
        archived.end = end_of_exchange(name, archived.end, size);
    }
}

CrawlSnapshot::Log CrawlSnapshot::measure(aio::FileSystem& files, std::filesystem::path path) {
    Log log{std::move(path)};
    if (files.exists(log.path)) log.size = files.open(log.path, aio::OpenMode::read)->size();
    return log;
}

void CrawlSnapshot::read(const Log& log, const std::function<void(const Outcome&)>& take) const {
    if (log.size == 0) return;
    FileSlice lines(files_->open(log.path, aio::OpenMode::read), 0, log.size);
    read_pages(lines, take);
}

void CrawlSnapshot::each_page(const std::function<void(const Outcome&)>& take) const {
    read(pages_, take);
}

void CrawlSnapshot::each_robots(const std::function<void(const Outcome&)>& take) const {
    read(robots_, take);
}

void CrawlSnapshot::note_place(const Outcome& entry) {
    if (entry.archived.file.empty()) return;
    if (!is_safe_warc_name(entry.archived.file) || archived_.size() >= kWarcFileCountMax) {
        throw ArchiveError(fmt::format(
            "{}: the page log of {} is damaged: it says that {} lies in the file '{}', which is no "
            "name of a WARC file: `weft repair {}`",
            escape_for_terminal(pages_.path.string()), escape_for_terminal(folder_.string()),
            escape_for_terminal(entry.url), escape_for_terminal(entry.archived.file),
            shell_word(folder_.string())));
    }
    Archived& archived = archived_[entry.archived.file];
    const std::uint64_t end = entry.archived.offset + entry.archived.length;
    // A crafted entry could overflow the sum.
    if (end >= entry.archived.offset) archived.end = std::max(archived.end, end);
    ++archived.page_count;
}

// The log has the position of the response only. The request and metadata records of the exchange
// follow it. What comes after them is not committed: it is the next response of a crawl that is
// running, or the last one of a run that was killed.
std::uint64_t CrawlSnapshot::end_of_exchange(const std::string& name, std::uint64_t end,
                                             std::uint64_t size) const {
    // The two line ends after a plain record are not part of its length.
    const std::uint64_t after = name.ends_with(warc_extension(Packing::none)) ? 4 : 0;
    end = std::min(end + after, size);
    const std::unique_ptr<aio::File> file =
        files_->open(folder_ / "archive" / name, aio::OpenMode::read);
    WarcFile records(*file, end);
    bool is_of_exchange = false;
    for (;;) {
        const auto event = records.next();
        if (!event || std::holds_alternative<FileEnd>(*event)) return end;
        if (const auto* start = std::get_if<RecordStart>(&*event)) {
            const std::string_view type = start->header.type();
            is_of_exchange = type == "request" || type == "metadata";
            if (!is_of_exchange) return end;
        }
        if (const auto* last = std::get_if<RecordEnd>(&*event)) {
            if (!last->is_complete || last->is_member_cut) return end;
            end = std::min(last->offset + last->length + after, size);
        }
    }
}

std::vector<std::string> CrawlSnapshot::warc_files() const {
    std::vector<std::string> names;
    for (const auto& [name, archived] : archived_) names.push_back(name);
    return names;
}

std::unique_ptr<aio::File> CrawlSnapshot::open_warc(const std::string& name) const {
    const auto found = archived_.find(name);
    std::unique_ptr<aio::File> file = files_->open(folder_ / "archive" / name, aio::OpenMode::read);
    const std::uint64_t size = file->size();
    const std::uint64_t end = found == archived_.end() ? size : std::min(size, found->second.end);
    return std::make_unique<FileSlice>(std::move(file), 0, end);
}

}  // namespace weft::archive
