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

// The search for one URL in the page log.
class PageSearch {
public:
    PageSearch(aio::File& log, const web::Url& url, bool keeps_session_ids)
        : log_(log), keeps_(keeps_session_ids), key_(key_of(url, keeps_)), hash_(hash_of(url)) {}

    // The entry of the line at the offset, if it is the URL's.
    std::optional<archive::PageEntry> at(std::uint64_t offset) {
        const std::string line = line_at(offset);
        return is_it(line) ? archive::parse_page_line(line) : std::nullopt;
    }

    // Reads all lines from `offset` on.
    std::optional<archive::PageEntry> from(std::uint64_t offset) {
        std::string rest;
        std::string piece(kReadBytes, '\0');
        for (;;) {
            const std::size_t count = log_.read_at(offset, piece);
            if (count == 0) return std::nullopt;
            offset += count;
            rest.append(piece, 0, count);
            std::size_t begin = 0;
            for (std::size_t end; (end = rest.find('\n', begin)) != std::string::npos;) {
                const std::string_view line = std::string_view(rest).substr(begin, end - begin);
                if (is_it(line)) return archive::parse_page_line(line);
                begin = end + 1;
            }
            rest.erase(0, begin);
            if (rest.size() > kLineBytesMax) rest.clear();
        }
    }

    std::uint64_t hash() const { return hash_; }

    // The end of a row's line. Empty if the row does not fit the line at its offset.
    std::optional<std::uint64_t> end_of(const IndexRow& row) {
        const std::string line = line_at(row.offset);
        const auto url = url_of(line);
        if (!url || hash_of(*url) != row.hash) return std::nullopt;
        return row.offset + line.size() + 1;
    }

private:
    std::string line_at(std::uint64_t offset) {
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

    bool is_it(std::string_view line) const {
        const auto url = url_of(line);
        return url && key_of(*url, keeps_) == key_;
    }

    aio::File& log_;
    bool keeps_;
    std::string key_;
    std::uint64_t hash_;
};

}  // namespace

PageIndex::PageIndex(aio::FileSystem& files, const std::filesystem::path& path,
                     std::uint64_t log_size) {
    try {
        file_ = files.open(path, aio::OpenMode::append);
        std::uint64_t count = file_->size() / sizeof(IndexRow);
        while (count > 0 && read_row(*file_, count - 1).offset >= log_size) --count;
        file_->truncate(count * sizeof(IndexRow));
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

std::optional<archive::PageEntry> find_page(aio::FileSystem& files,
                                            const std::filesystem::path& folder,
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
    return search.from(last ? search.end_of(*last).value_or(0) : 0);
}

}  // namespace weft::crawl
