#include "crawl/folder/earlier_crawl.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "archive/index/crawl_snapshot.h"
#include "archive/index/line_reader.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/limits.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kOlderCountMax = 1'000;    // The longest chain of crawls.
constexpr std::size_t kPlacesBytesMax = 64_KiB;  // Of the file state/earlier.
constexpr std::size_t kRecordBytesMax = 2 * limits::kBodyBytesMax;

std::filesystem::path log_of(const std::filesystem::path& folder) {
    return folder / "pages" / "pages.jsonl";
}

bool holds_crawl(aio::FileSystem& files, const std::filesystem::path& folder) {
    return files.exists(folder) && files.inside(folder)->exists(log_of(folder));
}

std::filesystem::path without_slash(const std::filesystem::path& folder) {
    std::filesystem::path whole = folder.lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

// The paths at which the crawl named by state/earlier may be, the likeliest first: its old absolute
// path; its path relative to the folder, in case both were moved together; and the same name beside
// the folder.
std::vector<std::filesystem::path> places_of_earlier(std::string_view kept,
                                                     const std::filesystem::path& folder) {
    const std::filesystem::path full(trim(kept.substr(0, kept.find('\n'))));
    std::vector<std::filesystem::path> places = {full};
    if (const std::size_t end = kept.find('\n'); end != std::string_view::npos) {
        const std::string_view relative = trim(kept.substr(end));
        if (!relative.empty()) places.push_back(folder / relative);
    }
    places.push_back(without_slash(folder).parent_path() / without_slash(full).filename());
    return places;
}

EarlierCrawl::Lost damaged(const std::filesystem::path& file, std::string_view what) {
    return {EarlierCrawl::Loss::damaged,
            fmt::format("{}: {}", escape_for_terminal(file.string()), what)};
}

// Whether two digests contradict each other. Digests of different algorithms cannot be compared, so
// they do not.
bool are_different(std::string_view label, std::string_view other) {
    const auto kind = [](std::string_view text) { return text.substr(0, text.find(':')); };
    return !label.empty() && !other.empty() && equals_ignore_case(kind(label), kind(other)) &&
           !equals_ignore_case(label, other);
}

}  // namespace

void EarlierCrawl::keep_earlier(aio::FileSystem& files, const std::filesystem::path& folder,
                                const std::filesystem::path& earlier) {
    const auto full = [](const std::filesystem::path& path) {
        // tidy: allow banned-call: a path; no file is touched.
        return without_slash(std::filesystem::absolute(path));
    };
    const std::filesystem::path whole = full(earlier);
    files.write_all(
        folder / kEarlierName,
        fmt::format("{}\n{}\n", whole.string(), whole.lexically_relative(full(folder)).string()));
}

std::shared_ptr<const EarlierCrawl> EarlierCrawl::open(aio::FileSystem& files,
                                                       const std::filesystem::path& folder,
                                                       const Options& options) {
    if (!holds_crawl(files, folder)) {
        throw UsageError(fmt::format("{} holds no crawl: there is no pages/pages.jsonl in it",
                                     escape_for_terminal(folder.string())));
    }
    std::shared_ptr<EarlierCrawl> crawl(
        new EarlierCrawl(files.inside(folder), folder, log_of(folder), options.digests));
    crawl->open_older(files, options.earlier);
    return crawl;
}

std::shared_ptr<const EarlierCrawl> EarlierCrawl::open_log(std::shared_ptr<aio::FileSystem> files,
                                                           const std::filesystem::path& folder,
                                                           const std::filesystem::path& log) {
    std::shared_ptr<EarlierCrawl> crawl(
        new EarlierCrawl(std::move(files), folder, log, Digests::checked));
    crawl->open_older(aio::EventLoop::running().files(), {});
    return crawl;
}

// Opens the chain of older crawls. This is a loop and not a recursion because the chain may be
// long. Folders that name each other in a circle end it.
void EarlierCrawl::open_older(aio::FileSystem& all,
                              std::span<const std::filesystem::path> earlier) {
    EarlierCrawl* newest = this;
    std::vector<std::filesystem::path> seen = {folder_.lexically_normal()};
    for (std::size_t i = 0; i < kOlderCountMax; ++i) {
        std::filesystem::path path;
        if (!earlier.empty()) {
            path = earlier.front();
            earlier = earlier.subspan(1);
            if (!holds_crawl(all, path)) {
                throw UsageError(
                    fmt::format("--earlier {} holds no crawl: there is no "
                                "pages/pages.jsonl in it",
                                escape_for_terminal(path.string())));
            }
        } else {
            const std::filesystem::path file = newest->folder_ / kEarlierName;
            if (!newest->files_->exists(file)) return;
            const auto places =
                places_of_earlier(newest->files_->read_all(file, kPlacesBytesMax), newest->folder_);
            const auto found = std::ranges::find_if(
                places, [&](const auto& place) { return holds_crawl(all, place); });
            if (found == places.end()) {
                newest->missing_ = places.front();
                return;
            }
            path = *found;
        }
        if (std::ranges::find(seen, path.lexically_normal()) != seen.end()) return;
        seen.push_back(path.lexically_normal());
        newest->older_.reset(new EarlierCrawl(all.inside(path), path, log_of(path), digests_));
        newest = newest->older_.get();
    }
}

std::optional<std::filesystem::path> EarlierCrawl::missing() const {
    for (const EarlierCrawl* crawl = this; crawl; crawl = crawl->older_.get()) {
        if (!crawl->missing_.empty()) return crawl->missing_;
    }
    return std::nullopt;
}

EarlierCrawl::EarlierCrawl(std::shared_ptr<aio::FileSystem> files, std::filesystem::path folder,
                           const std::filesystem::path& log, Digests digests)
    : files_(std::move(files)),
      folder_(std::move(folder)),
      digests_(digests),
      pages_(files_->open(log, aio::OpenMode::read)) {
    archive::LineReader lines(*pages_);
    while (const auto line = lines.next()) {
        if (const auto entry = archive::parse_page_line(*line)) {
            places_.emplace_back(hash64(entry->url), lines.line_offset());
        }
    }
    std::ranges::sort(places_);
}

std::optional<Outcome> EarlierCrawl::entry_at(std::uint64_t offset) const {
    archive::LineReader lines(*pages_, offset);
    const auto line = lines.next();
    return line ? archive::parse_page_line(*line) : std::nullopt;
}

std::optional<Outcome> EarlierCrawl::find(std::string_view url) const {
    const std::uint64_t hash = hash64(url);
    // Two URLs may have one hash, so the line decides.
    for (auto place = std::ranges::lower_bound(places_, std::pair(hash, std::uint64_t{0}));
         place != places_.end() && place->first == hash; ++place) {
        std::optional<Outcome> entry = entry_at(place->second);
        if (entry && entry->url == url) return entry;
    }
    return std::nullopt;
}

std::expected<archive::StoredRecord, EarlierCrawl::Lost> EarlierCrawl::record_of(
    const Outcome& entry) const {
    const std::filesystem::path path = folder_ / "archive" / entry.archived.file;
    // The page log may come from somebody else: a file name in it must not lead out of archive/.
    if (!archive::is_safe_warc_name(entry.archived.file)) {
        return std::unexpected(damaged(log_of(folder_), "names no WARC file for a page"));
    }
    if (!files_->exists(path)) return std::unexpected(damaged(path, "the file is missing"));
    const std::unique_ptr<aio::File> file = files_->open(path, aio::OpenMode::read);
    auto record = read_record(*file, entry.archived.offset, kRecordBytesMax, digests_);
    if (record) return *std::move(record);
    return std::unexpected(damaged(
        path, fmt::format("the record at byte {} {}", entry.archived.offset, record.error())));
}

std::expected<EarlierCrawl::Answer, EarlierCrawl::Lost> EarlierCrawl::read_answer(
    const Outcome& entry) const {
    std::expected<archive::StoredRecord, Lost> record = record_of(entry);
    if (!record) return std::unexpected(record.error());
    if (record->header.type() == "response") {
        return Answer{std::move(record->block), {"", entry.url, entry.date}, this, entry};
    }
    if (record->header.type() == "revisit") return read_original(entry, *record);
    return std::unexpected(
        damaged(folder_ / "archive" / entry.archived.file,
                fmt::format("the record at byte {} is no answer", entry.archived.offset)));
}

// Finds the original of a revisit record by its WARC-Refers-To-Target-URI and WARC-Refers-To-Date,
// in the newest crawl that has it.
std::expected<EarlierCrawl::Answer, EarlierCrawl::Lost> EarlierCrawl::read_original(
    const Outcome& entry, const archive::StoredRecord& revisit) const {
    const std::string_view date = revisit.header.get("WARC-Refers-To-Date");
    const std::string_view digest = revisit.header.get("WARC-Payload-Digest");
    std::optional<Lost> lost;
    for (const EarlierCrawl* crawl = this; crawl; crawl = crawl->older_.get()) {
        const auto original = crawl->find(revisit.header.get("WARC-Refers-To-Target-URI"));
        if (!original || to_iso8601(original->date) != date) continue;
        std::expected<archive::StoredRecord, Lost> record = crawl->record_of(*original);
        if (!record) {
            lost = record.error();
            continue;
        }
        if (record->header.type() != "response") continue;
        if (digests_ == Digests::checked &&
            are_different(record->header.get("WARC-Payload-Digest"), digest)) {
            lost = damaged(crawl->folder_ / "archive" / original->archived.file,
                           fmt::format("the record at byte {} is not the original of {}",
                                       original->archived.offset, escape_for_terminal(entry.url)));
            continue;
        }
        return Answer{std::move(record->block),
                      {"", original->url, original->date},
                      crawl,
                      *original,
                      revisit.block};
    }
    if (lost) return std::unexpected(*lost);
    const std::filesystem::path file = folder_ / "archive" / entry.archived.file;
    return std::unexpected(
        Lost{Loss::no_original,
             fmt::format("{}: the record at byte {} stands for an answer of {}, which is not here",
                         escape_for_terminal(file.string()), entry.archived.offset,
                         escape_for_terminal(date))});
}

}  // namespace weft::crawl
