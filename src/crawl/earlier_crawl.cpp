#include "crawl/earlier_crawl.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "aio/loop.h"
#include "archive/line_reader.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/limits.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kOlderCountMax = 1'000;  // Crawls upon crawls.
constexpr const char* kPagesName = "pages/pages.jsonl";
constexpr std::size_t kPathBytesMax = 64_KiB;
constexpr std::size_t kRecordBytesMax = 2 * limits::kBodyBytesMax;

}  // namespace

std::shared_ptr<const EarlierCrawl> EarlierCrawl::open(aio::FileSystem& files,
                                                       const std::filesystem::path& folder) {
    std::shared_ptr<EarlierCrawl> newest;
    EarlierCrawl* last = nullptr;
    std::set<std::filesystem::path> met;  // A crawl that names itself is no end of crawls.
    for (std::filesystem::path path = folder;
         met.size() < kOlderCountMax && met.insert(path.lexically_normal()).second;) {
        const bool is_there = files.exists(path);
        std::shared_ptr<aio::FileSystem> inside = is_there ? files.inside(path) : nullptr;
        if (!inside || !inside->exists(path / kPagesName)) {
            if (newest) break;  // One that was moved away: what it holds is asked for anew.
            throw UsageError(fmt::format("{} holds no crawl: there is no pages/pages.jsonl in it",
                                         escape_for_terminal(path.string())));
        }
        std::shared_ptr<EarlierCrawl> crawl(new EarlierCrawl(inside, path, path / kPagesName));
        EarlierCrawl* const opened = crawl.get();
        if (last) {
            last->older_ = std::move(crawl);
        } else {
            newest = std::move(crawl);
        }
        last = opened;
        if (!inside->exists(path / kEarlierName)) break;
        path = std::string(trim(inside->read_all(path / kEarlierName, kPathBytesMax)));
    }
    return newest;
}

std::shared_ptr<const EarlierCrawl> EarlierCrawl::open_log(std::shared_ptr<aio::FileSystem> files,
                                                           const std::filesystem::path& folder,
                                                           const std::filesystem::path& log) {
    std::shared_ptr<EarlierCrawl> crawl(new EarlierCrawl(files, folder, log));
    if (files->exists(folder / kEarlierName)) {
        const std::filesystem::path older(
            trim(files->read_all(folder / kEarlierName, kPathBytesMax)));
        aio::FileSystem& all = aio::EventLoop::running().files();
        const bool is_crawl = all.exists(older) && all.inside(older)->exists(older / kPagesName);
        if (is_crawl) crawl->older_ = open(all, older);
    }
    return crawl;
}

EarlierCrawl::EarlierCrawl(std::shared_ptr<aio::FileSystem> files, std::filesystem::path folder,
                           const std::filesystem::path& log)
    : files_(std::move(files)),
      folder_(std::move(folder)),
      pages_(files_->open(log, aio::OpenMode::read)) {
    archive::LineReader lines(*pages_);
    while (const auto line = lines.next()) {
        if (const auto entry = archive::parse_page_line(*line)) {
            places_.emplace_back(hash64(entry->url), lines.line_offset());
        }
    }
    std::ranges::sort(places_);
}

std::optional<archive::PageEntry> EarlierCrawl::entry_at(std::uint64_t offset) const {
    archive::LineReader lines(*pages_, offset);
    const auto line = lines.next();
    return line ? archive::parse_page_line(*line) : std::nullopt;
}

std::optional<archive::PageEntry> EarlierCrawl::find(std::string_view url) const {
    const std::uint64_t hash = hash64(url);
    for (auto place = std::ranges::lower_bound(places_, std::pair(hash, std::uint64_t{0}));
         place != places_.end() && place->first == hash; ++place) {
        std::optional<archive::PageEntry> entry = entry_at(place->second);
        if (entry && entry->url == url) return entry;
    }
    return std::nullopt;
}

std::optional<StoredRecord> EarlierCrawl::record_of(const archive::PageEntry& entry) const {
    if (entry.warc_file.empty()) return std::nullopt;
    const std::filesystem::path path = folder_ / "archive" / entry.warc_file;
    if (!files_->exists(path)) return std::nullopt;
    const std::unique_ptr<aio::File> file = files_->open(path, aio::OpenMode::read);
    return read_record(*file, entry.warc_offset, kRecordBytesMax);
}

std::optional<EarlierCrawl::Answer> EarlierCrawl::read_answer(
    const archive::PageEntry& entry) const {
    std::optional<StoredRecord> record = record_of(entry);
    if (!record) return std::nullopt;
    if (record->type == "response") {
        return Answer{std::move(record->block), {"", entry.url, entry.date}};
    }
    if (record->type == "revisit") return read_original(*record);
    return std::nullopt;
}

// The response that was written at that time for that address, in the newest crawl that has it.
std::optional<EarlierCrawl::Answer> EarlierCrawl::read_original(const StoredRecord& revisit) const {
    for (const EarlierCrawl* crawl = this; crawl; crawl = crawl->older_.get()) {
        const auto entry = crawl->find(revisit.refers_to_uri);
        if (!entry || to_iso8601(entry->date) != revisit.refers_to_date) continue;
        std::optional<StoredRecord> record = crawl->record_of(*entry);
        if (record && record->type == "response") {
            return Answer{std::move(record->block), {"", entry->url, entry->date}};
        }
    }
    return std::nullopt;
}

}  // namespace weft::crawl
