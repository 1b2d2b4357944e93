#include "crawl/folder/page_index.h"

#include <cstring>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "base/hash.h"
#include "base/scan.h"
#include "base/units.h"
#include "web/url/canonical.h"

namespace weft::crawl {
namespace {

struct IndexRow {
    std::uint64_t hash = 0;
    std::uint64_t offset = 0;
};
static_assert(sizeof(IndexRow) == 16);

constexpr std::size_t kFlushBytes = 4_KiB;
constexpr std::size_t kReadBytes = 1_MiB;
constexpr std::size_t kLineBytesMax = 64_MiB;
constexpr std::size_t kCandidatesMax = 1'000;  // A site can choose URLs whose hashes collide.

std::string key_of(const web::Url& url, bool keeps_session_ids) {
    return web::canonical_key(url, {.drop_session_ids = !keeps_session_ids});
}

// The hash in the index never counts session ids, whatever the crawl does: it only finds
// candidates, and the key decides.
std::uint64_t hash_of(const web::Url& url) {
    return hash64(key_of(url, false), 0);
}

// The URL of a line of the page log, as it is written there. It is always the first member.
std::string_view written_url(std::string_view line) {
    constexpr std::string_view kBefore = "{\"url\":\"";
    if (!line.starts_with(kBefore)) return {};
    return line.substr(kBefore.size(), line.find('"', kBefore.size()) - kBefore.size());
}

// A backslash is the only character of a serialised URL that JSON escapes.
std::optional<web::Url> url_of(std::string_view line) {
    line = written_url(line);
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '\\') ++i;
        text += line[i];
    }
    const auto url = web::Url::parse(text);
    return url ? std::optional(*url) : std::nullopt;
}

// Most URLs are their own key, because they have none of the characters that the key changes. They
// need no parsing.
std::optional<std::uint64_t> hash_of_line(std::string_view line) {
    const std::string_view text = written_url(line);
    const char* const end = text.data() + text.size();
    const bool is_key = find_any<'%', '?', ';', '#', '\\'>(text.data(), end) == end;
    if (is_key && text.starts_with("http")) return hash64(text, 0);
    const auto url = url_of(line);
    return url ? std::optional(hash_of(*url)) : std::nullopt;
}

IndexRow read_row(aio::File& file, std::uint64_t number) {
    char bytes[sizeof(IndexRow)] = {};
    file.read_at(number * sizeof(IndexRow), bytes);
    IndexRow row;
    std::memcpy(&row, bytes, sizeof row);
    return row;
}

// The lines of a page log, by their offsets.
class PageLines {
public:
    explicit PageLines(aio::File& log) : log_(log) {}

    // The line that begins at `offset`, without its end.
    std::string line_at(std::uint64_t offset) const {
        std::string line;
        std::string piece(4_KiB, '\0');
        while (line.size() < kLineBytesMax) {
            const std::size_t count = log_.read_at(offset + line.size(), piece);
            if (count == 0) break;
            const std::size_t end = std::string_view(piece).substr(0, count).find('\n');
            line.append(piece, 0, std::min(end, count));
            if (end < count) break;
            piece.resize(64_KiB);
        }
        return line;
    }

    // The end of a row's line. Empty if the row does not fit the line at its offset.
    std::optional<std::uint64_t> end_of(const IndexRow& row) const {
        const std::string line = line_at(row.offset);
        const auto url = url_of(line);
        if (!url || hash_of(*url) != row.hash) return std::nullopt;
        return row.offset + line.size() + 1;
    }

    // Calls take(line, offset) for each complete line from `offset` on, until it returns true.
    template <class Take>
    void each_from(std::uint64_t offset, Take take) const {
        std::string rest;
        std::string piece(kReadBytes, '\0');
        for (std::uint64_t read_at = offset;;) {
            const std::size_t count = log_.read_at(read_at, piece);
            if (count == 0) return;
            read_at += count;
            rest.append(piece, 0, count);
            std::size_t begin = 0;
            for (std::size_t end; (end = rest.find('\n', begin)) != std::string::npos;) {
                if (take(std::string_view(rest).substr(begin, end - begin), offset + begin)) return;
                begin = end + 1;
            }
            rest.erase(0, begin);
            offset += begin;
            if (rest.size() <= kLineBytesMax) continue;
            offset += rest.size();
            rest.clear();
        }
    }

private:
    aio::File& log_;
};

// The search for one URL in the page log.
class PageSearch {
public:
    PageSearch(aio::File& log, const web::Url& url, bool keeps_session_ids)
        : lines_(log), keeps_(keeps_session_ids), key_(key_of(url, keeps_)), hash_(hash_of(url)) {}

    // The entry of the line at the offset, if it is the URL's.
    std::optional<Outcome> at(std::uint64_t offset) const {
        const std::string line = lines_.line_at(offset);
        return is_it(line) ? archive::parse_page_line(line) : std::nullopt;
    }

    // Reads all lines from `offset` on.
    std::optional<Outcome> from(std::uint64_t offset) const {
        std::optional<Outcome> found;
        lines_.each_from(offset, [&](std::string_view line, std::uint64_t) {
            if (!is_it(line)) return false;
            found = archive::parse_page_line(line);
            return true;
        });
        return found;
    }

    // Reads the lines for which the index has no row; all if its last row does not fit.
    std::optional<Outcome> behind(const std::optional<IndexRow>& last) const {
        return from(last ? lines_.end_of(*last).value_or(0) : 0);
    }

    std::uint64_t hash() const { return hash_; }

private:
    bool is_it(std::string_view line) const {
        const auto url = url_of(line);
        return url && key_of(*url, keeps_) == key_;
    }

    PageLines lines_;
    bool keeps_;
    std::string key_;
    std::uint64_t hash_;
};

// Where the lines without a row begin: behind the last row's line. 0 if some row does not fit its
// line: the log was rewritten, and all rows are wrong. A few rows are looked at, because a log that
// was rewritten and has grown since has good rows at its end.
std::uint64_t indexed_end(aio::File& index, std::uint64_t row_count, const PageLines& lines) {
    constexpr std::uint64_t kLooks = 16;
    std::uint64_t end = 0;
    for (std::uint64_t look = 1; look <= kLooks && row_count > 0; ++look) {
        const auto fits = lines.end_of(read_row(index, (row_count - 1) * look / kLooks));
        if (!fits) return 0;
        end = *fits;
    }
    return end;
}

}  // namespace

PageIndex::PageIndex(aio::FileSystem& files, const std::filesystem::path& path,
                     std::uint64_t log_size) {
    try {
        file_ = files.open(path, aio::OpenMode::append);
        std::uint64_t count = file_->size() / sizeof(IndexRow);
        while (count > 0 && read_row(*file_, count - 1).offset >= log_size) --count;
        const std::filesystem::path log_path = path.parent_path() / "pages.jsonl";
        if (log_size == 0 || !files.exists(log_path)) {
            file_->truncate(0);
            return;
        }
        const std::unique_ptr<aio::File> log = files.open(log_path, aio::OpenMode::read);
        const PageLines lines(*log);
        const std::uint64_t end = indexed_end(*file_, count, lines);
        file_->truncate(end == 0 ? 0 : count * sizeof(IndexRow));
        lines.each_from(end, [&](std::string_view line, std::uint64_t offset) {
            if (offset >= log_size) return true;
            add(line, offset);
            return false;
        });
    } catch (const aio::IoError&) {
        file_.reset();
    }
}

void PageIndex::add(std::string_view line, std::uint64_t offset) {
    if (!file_) return;
    const std::optional<std::uint64_t> hash = hash_of_line(line);
    if (!hash) return;
    const IndexRow row{*hash, offset};
    pending_.append(reinterpret_cast<const char*>(&row), sizeof row);
    if (pending_.size() >= kFlushBytes) flush();
}

void PageIndex::flush() noexcept {
    if (!file_) return;
    try {
        file_->append(pending_);
    } catch (const aio::IoError&) {
        file_.reset();
    }
    pending_.clear();
}

std::optional<Outcome> find_page(aio::FileSystem& files, const std::filesystem::path& folder,
                                 const web::Url& url, bool keeps_session_ids) {
    const std::unique_ptr<aio::File> log =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    PageSearch search(*log, url, keeps_session_ids);
    if (!files.exists(folder / PageIndex::kName)) return search.from(0);
    const std::unique_ptr<aio::File> index =
        files.open(folder / PageIndex::kName, aio::OpenMode::read);
    std::vector<IndexRow> rows(kReadBytes / sizeof(IndexRow));
    std::optional<IndexRow> last;
    std::size_t candidate_count = 0;
    for (std::uint64_t offset = 0;;) {
        char* const room = reinterpret_cast<char*>(rows.data());
        const std::size_t count = index->read_at(offset, {room, rows.size() * sizeof(IndexRow)});
        const std::size_t row_count = count / sizeof(IndexRow);
        for (std::size_t i = 0; i < row_count; ++i) {
            if (rows[i].hash != search.hash() || ++candidate_count > kCandidatesMax) continue;
            if (auto entry = search.at(rows[i].offset)) return entry;
        }
        if (row_count > 0) last = rows[row_count - 1];
        if (row_count < rows.size()) break;
        offset += count;
    }
    return search.behind(last);
}

}  // namespace weft::crawl
