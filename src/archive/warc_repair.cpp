#include "archive/warc_repair.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "archive/lines.h"
#include "archive/record_check.h"
#include "archive/record_packer.h"
#include "archive/warc_file.h"
#include "archive/warc_index.h"
#include "archive/warc_record.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "base/units.h"
#include "web/url.h"
#include "web/validator.h"

namespace weft::archive {

namespace {

constexpr std::size_t kPieceBytes = 1_MiB;
constexpr std::size_t kMetadataBytesMax = 64_KiB;

// What a record of this packing begins with.
std::string_view magic_of(Packing packing) {
    switch (packing) {
        case Packing::none: return "WARC/";
        case Packing::gzip: return "\x1F\x8B\x08";
        case Packing::zstd: return "\x28\xB5\x2F\xFD";
    }
    std::unreachable();
}

Packing packing_of(std::string_view name) {
    if (name.ends_with(".gz")) return Packing::gzip;
    return name.ends_with(".zst") ? Packing::zstd : Packing::none;
}

// "name: value" lines of our metadata records.
void read_metadata(std::string_view block, PageEntry& entry) {
    while (!block.empty()) {
        const std::string_view line = take_line(block);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view field = line.substr(0, colon);
        const std::string_view value = trim(line.substr(colon + 1));
        if (field == "via") entry.referrer = value;
        if (field == "found-as" && value != "link") entry.via = value;
        if (field == "depth") {
            std::from_chars(value.data(), value.data() + value.size(), entry.depth);
        }
    }
}

PageEntry make_entry(const CdxEntry& cdx, const WarcHeader& header, std::string_view head) {
    PageEntry entry;
    entry.url = cdx.target_uri;
    entry.date = cdx.date;
    entry.status = static_cast<int>(cdx.status);
    entry.ending = "fetched";
    entry.content_type = cdx.mime;
    entry.payload_digest = cdx.digest;
    entry.warc_file = cdx.filename;
    entry.warc_length = cdx.length;
    entry.is_revisit = header.type() == "revisit";
    entry.is_unchanged = header.get("WARC-Profile") == kServerNotModified;
    if (entry.is_revisit) {
        const std::string_view type = http_field(head, "content-type");
        entry.content_type = to_lower(trim(type.substr(0, type.find(';'))));
    }
    entry.etag = web::usable_etag(http_field(head, "etag")).value_or("");
    entry.last_modified = web::usable_last_modified(http_field(head, "last-modified")).value_or("");
    const std::string_view location = http_field(head, "location");
    if (entry.status >= 300 && entry.status < 400 && !location.empty()) {
        entry.ending = "redirect";
        const auto url = web::Url::parse(entry.url);
        const auto target = url ? url->resolve(location, web::kBoundedUrl) : url;
        if (target) entry.redirect_target = target->href();
    }
    return entry;
}

class Scan {
public:
    Scan(aio::File& file, const std::string& name,
         const std::function<void(const GoodAnswer&)>& take)
        : file_(file),
          size_(file.size()),
          packing_(packing_of(name)),
          indexer_(name),
          take_(take) {}

    // The parts of the file that hold good records, in order.
    std::vector<ByteRange> run() {
        for (std::optional<std::uint64_t> begin = 0; begin && *begin < size_;) {
            if (read_from(*begin)) break;
            begin = find_record(damage_begin_);
        }
        hand_out();
        return std::move(good_);
    }

    std::uint64_t record_count() const { return record_count_; }

private:
    // Whether all to the end was good; else damage_begin_ is where to look for the next record.
    bool read_from(std::uint64_t begin) {
        damage_begin_ = begin + 1;
        WarcFile records(file_, begin);
        std::optional<RecordCheck> check;
        for (;;) {
            const auto event = records.next();
            if (!event) return false;
            if (const auto* start = std::get_if<RecordStart>(&*event)) {
                damage_begin_ = start->offset + 1;
                check.emplace(start->header);
                begin_record(*start);
            } else if (const auto* bytes = std::get_if<RecordBytes>(&*event)) {
                check->update(bytes->bytes);
                take_bytes(bytes->bytes);
            } else if (const auto* end = std::get_if<RecordEnd>(&*event)) {
                if (!is_good(*end, *check)) return false;
                end_record(*end);
                damage_begin_ = good_.back().end;
            } else {
                return good_.empty() ? size_ == 0 : good_.back().end == size_;
            }
        }
    }

    static bool is_good(const RecordEnd& end, RecordCheck& check) {
        return end.is_complete && !end.is_member_cut && end.length > 0 &&
               check.finish(true) != Verdict::wrong;
    }

    void begin_record(const RecordStart& start) {
        indexer_.begin(start);
        metadata_.clear();
        const bool is_metadata = start.header.type() == "metadata";
        is_own_metadata_ =
            is_metadata && pending_ && start.header.target_uri() == pending_->entry.url;
    }

    void take_bytes(std::string_view bytes) {
        indexer_.take(bytes);
        if (is_own_metadata_ && metadata_.size() < kMetadataBytesMax) metadata_ += bytes;
    }

    void end_record(const RecordEnd& end) {
        ++record_count_;
        // Two line ends follow a plain record that are not counted to it.
        const std::uint64_t after = packing_ == Packing::none ? 4 : 0;
        const ByteRange range{end.offset, std::min(size_, end.offset + end.length + after)};
        if (!good_.empty() && good_.back().end == range.begin) {
            good_.back().end = range.end;
        } else {
            good_.push_back(range);
        }
        if (is_own_metadata_) read_metadata(metadata_, pending_->entry);
        if (const auto cdx = indexer_.finish(end)) {
            hand_out();
            pending_.emplace(end.offset,
                             make_entry(*cdx, indexer_.header(), indexer_.block_start()));
            pending_->entry.warc_offset = kept_bytes_;
        }
        kept_bytes_ += range.size();
    }

    // Its metadata follows it.
    void hand_out() {
        if (pending_) take_(*pending_);
        pending_.reset();
    }

    // The next place from `begin` on where a good record stands.
    std::optional<std::uint64_t> find_record(std::uint64_t begin) {
        const std::string_view magic = magic_of(packing_);
        std::string piece(kPieceBytes, '\0');
        while (begin < size_) {
            const std::size_t count = file_.read_at(begin, piece);
            const std::string_view text(piece.data(), count);
            for (std::size_t at = text.find(magic); at != std::string_view::npos;
                 at = text.find(magic, at + 1)) {
                if (holds_record(begin + at)) return begin + at;
            }
            if (count < magic.size()) break;
            begin += count - magic.size() + 1;
        }
        return std::nullopt;
    }

    bool holds_record(std::uint64_t begin) {
        WarcFile records(file_, begin);
        std::optional<RecordCheck> check;
        for (;;) {
            const auto event = records.next();
            if (!event) return false;
            if (const auto* start = std::get_if<RecordStart>(&*event)) {
                check.emplace(start->header);
            } else if (const auto* bytes = std::get_if<RecordBytes>(&*event)) {
                check->update(bytes->bytes);
            } else if (const auto* end = std::get_if<RecordEnd>(&*event)) {
                return is_good(*end, *check);
            } else {
                return false;
            }
        }
    }

    aio::File& file_;
    std::uint64_t size_;
    Packing packing_;
    RecordIndexer indexer_;
    std::function<void(const GoodAnswer&)> take_;
    std::vector<ByteRange> good_;
    std::uint64_t kept_bytes_ = 0;
    std::uint64_t record_count_ = 0;
    std::uint64_t damage_begin_ = 0;
    std::optional<GoodAnswer> pending_;
    bool is_own_metadata_ = false;
    std::string metadata_;
};

std::vector<ByteRange> gaps_between(const std::vector<ByteRange>& good, std::uint64_t size) {
    std::vector<ByteRange> gaps;
    std::uint64_t end = 0;
    for (const ByteRange& range : good) {
        if (range.begin > end) gaps.push_back({end, range.begin});
        end = range.end;
    }
    if (size > end) gaps.push_back({end, size});
    return gaps;
}

}  // namespace

void copy_bytes(aio::File& from, ByteRange range, aio::File& to) {
    std::string piece(kPieceBytes, '\0');
    while (range.begin < range.end) {
        const std::size_t wanted = std::min<std::uint64_t>(piece.size(), range.size());
        const std::size_t count = from.read_at(range.begin, std::span(piece).first(wanted));
        if (count == 0) return;
        to.append(std::string_view(piece).substr(0, count));
        range.begin += count;
    }
}

bool is_warc_whole(aio::FileSystem& files, const std::filesystem::path& path) {
    const std::unique_ptr<aio::File> file = files.open(path, aio::OpenMode::read);
    Scan scan(*file, path.filename().string(), [](const GoodAnswer&) {});
    return gaps_between(scan.run(), file->size()).empty();
}

WarcRepair repair_warc(aio::FileSystem& files, const std::filesystem::path& path,
                       const std::filesystem::path& aside,
                       const std::function<void(const GoodAnswer&)>& take) {
    const std::string name = path.filename().string();
    std::unique_ptr<aio::File> file = files.open(path, aio::OpenMode::read);
    const std::uint64_t size = file->size();
    Scan scan(*file, name, take);
    const std::vector<ByteRange> good = scan.run();
    const std::vector<ByteRange> gaps = gaps_between(good, size);
    WarcRepair repair{.record_count = scan.record_count(), .cut_count = gaps.size()};
    if (gaps.empty()) return repair;

    files.create_directories(aside);
    for (const ByteRange& gap : gaps) {
        repair.cut_bytes += gap.size();
        const std::filesystem::path kept = aside / fmt::format("{}.at-{}", name, gap.begin);
        const std::unique_ptr<aio::File> out = files.open(kept, aio::OpenMode::create);
        copy_bytes(*file, gap, *out);
        out->sync();
    }
    files.sync_directory(aside);
    const bool is_tail_alone = gaps.size() == 1 && gaps.front().end == size;
    if (is_tail_alone) {
        const std::unique_ptr<aio::File> out = files.open(path, aio::OpenMode::append);
        out->truncate(gaps.front().begin);
        out->sync();
        return repair;
    }
    std::filesystem::path fresh = path;
    fresh += ".repaired";
    files.remove(fresh);
    const std::unique_ptr<aio::File> out = files.open(fresh, aio::OpenMode::create);
    for (const ByteRange& range : good) copy_bytes(*file, range, *out);
    out->sync();
    files.rename(fresh, path);
    files.sync_directory(path.parent_path());
    return repair;
}

}  // namespace weft::archive
