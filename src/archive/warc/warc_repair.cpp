#include "archive/warc/warc_repair.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "archive/index/lines.h"
#include "archive/index/warc_index.h"
#include "archive/warc/record_check.h"
#include "archive/warc/record_packer.h"
#include "archive/warc/warc_file.h"
#include "archive/warc/warc_record.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "base/units.h"
#include "web/fields/validator.h"
#include "web/url/url.h"

namespace weft::archive {

namespace {

constexpr std::size_t kRepairPieceBytes = 1_MiB;
constexpr std::size_t kMetadataBytesMax = 64_KiB;

constexpr std::string_view kPlainMagic = "WARC/1.";
constexpr std::string_view kAfterPlain = "\r\n\r\n";
constexpr std::string_view kIdField = "\r\nWARC-Warcinfo-ID: ";
constexpr std::size_t kIdBytesMax = 256;
constexpr std::size_t kVoteCount = 7;  // How many records vote on the id.

// The bytes with which a record of this packing begins. For gzip with the method and the flags that
// our own members have, so that fewer places match by chance.
std::string_view magic_of(Packing packing) {
    using namespace std::string_view_literals;
    switch (packing) {
        case Packing::none: return kPlainMagic;
        case Packing::gzip: return "\x1F\x8B\x08\x00"sv;
        case Packing::zstd: return "\x28\xB5\x2F\xFD";
    }
    std::unreachable();
}

Packing packing_of(std::string_view name) {
    if (name.ends_with(".gz")) return Packing::gzip;
    return name.ends_with(".zst") ? Packing::zstd : Packing::none;
}

// Reads the "name: value" lines of our own metadata records.
void read_metadata(std::string_view block, Outcome& entry) {
    while (!block.empty()) {
        const std::string_view line = take_line(block);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view field = line.substr(0, colon);
        const std::string_view value = trim(line.substr(colon + 1));
        if (field == "via") entry.referrer = value;
        if (field == "found-as") entry.via = parse_via(value);
        if (field == "depth") {
            std::from_chars(value.data(), value.data() + value.size(), entry.depth);
        }
    }
}

// "192.0.2.1:443". The record has no port, so it is taken from the URL.
std::string address_of(const WarcHeader& header, const std::string& text) {
    const std::string_view ip = header.get("WARC-IP-Address");
    const auto url = web::Url::parse(text);
    if (ip.empty() || !url || !url->effective_port()) return std::string(ip);
    return fmt::format(ip.contains(':') ? fmt::runtime("[{}]:{}") : fmt::runtime("{}:{}"), ip,
                       *url->effective_port());
}

Outcome make_entry(const CdxEntry& cdx, const WarcHeader& header, std::string_view head) {
    Outcome entry;
    entry.url = cdx.target_uri;
    entry.date = cdx.date;
    entry.status = static_cast<int>(cdx.status);
    entry.ending = Ending::fetched;
    entry.content_type = cdx.mime;
    entry.payload_digest = cdx.digest;
    entry.archived.file = cdx.filename;
    entry.archived.length = cdx.length;
    entry.is_revisit = header.type() == "revisit";
    entry.is_unchanged = header.get("WARC-Profile") == kServerNotModified;
    // An index gives revisits a media type of their own; the page log has that of the page.
    if (entry.is_revisit) {
        const std::string_view type = http_field(head, "content-type");
        entry.content_type = to_lower(trim(type.substr(0, type.find(';'))));
    }
    entry.address = address_of(header, entry.url);
    entry.is_truncated = header.get("WARC-Truncated") == "length";
    entry.etag = web::usable_etag(http_field(head, "etag")).value_or("");
    entry.last_modified = web::usable_last_modified(http_field(head, "last-modified")).value_or("");
    const std::string_view location = http_field(head, "location");
    if (entry.status >= 300 && entry.status < 400 && !location.empty()) {
        entry.ending = Ending::redirect;
        const auto url = web::Url::parse(entry.url);
        const auto target = url ? url->resolve(location, web::kBoundedUrl) : url;
        if (target) entry.redirect_target = target->href();
    }
    return entry;
}

std::vector<FileSpan> gaps_between(const std::vector<FileSpan>& good, std::uint64_t size) {
    std::vector<FileSpan> gaps;
    std::uint64_t end = 0;
    for (const FileSpan& range : good) {
        if (range.begin > end) gaps.push_back({end, range.begin});
        end = range.end;
    }
    if (size > end) gaps.push_back({end, size});
    return gaps;
}

// Searches a file for a text, piece by piece. The pieces grow, so that a near match is cheap.
class Search {
public:
    Search(aio::File& file, std::uint64_t begin) : file_(file), offset_(begin) {}

    // The offset of the next occurrence of `text`.
    std::optional<std::uint64_t> next(std::string_view text) {
        for (;;) {
            const std::size_t at = bytes_.find(text, from_);
            if (at != std::string::npos) {
                from_ = at + 1;
                return offset_ + at;
            }
            // The end of a piece is read again with the next, for a match across both.
            const std::size_t kept = std::min(bytes_.size(), text.size() - 1);
            offset_ += bytes_.size() - kept;
            from_ = 0;
            size_ = std::min(2 * size_, kRepairPieceBytes);
            bytes_.resize(size_);
            bytes_.resize(file_.read_at(offset_, bytes_));
            if (bytes_.size() <= kept) return std::nullopt;
        }
    }

private:
    aio::File& file_;
    std::uint64_t offset_;  // Of `bytes_`.
    std::string bytes_;
    std::size_t from_ = 0;
    std::size_t size_ = 8_KiB;
};

std::string read_some(aio::File& file, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(file.read_at(offset, bytes));
    return bytes;
}

// One scan of one file. A chain of records is read as far as it is good (read_chain()); then the
// next record after the damage is searched for (find_plain(), find_packed()), and so on.
class Scan {
public:
    Scan(aio::File& file, const std::string& name, const WarcKnown& known,
         const std::function<void(const GoodAnswer&)>& take)
        : file_(file),
          size_(file.size()),
          packing_(packing_of(name)),
          known_(known),
          indexer_(name),
          take_(take) {}

    WarcScan run() {
        learn_id();
        for (std::optional<std::uint64_t> begin = 0; begin && *begin < size_;) {
            if (read_from(*begin)) break;
            begin = packing_ == Packing::none ? find_plain(damage_end_) : find_packed(damage_end_);
        }
        hand_out();
        scan_.damaged = gaps_between(scan_.good, size_);
        return std::move(scan_);
    }

private:
    // True if everything from `begin` to the end of the file was good. Otherwise damage_end_ is
    // where the search for the next record starts.
    bool read_from(std::uint64_t begin) {
        damage_end_ = begin + 1;
        under_way_.reset();
        if (read_chain(begin)) return true;
        // A damaged block is skipped as a whole, with everything in it that looks like a record.
        if (under_way_) damage_end_ = claimed_end().value_or(damage_end_);
        return false;
    }

    bool read_chain(std::uint64_t begin) {
        WarcFile records(file_, begin);
        std::optional<RecordCheck> check;
        for (;;) {
            const auto event = records.next();
            if (!event) return false;
            if (const auto* start = std::get_if<RecordStart>(&*event)) {
                damage_end_ = start->offset + 1;
                if (!is_ours(*start)) return false;
                under_way_ = {start->offset, start->header.content_length()};
                check.emplace(start->header);
                begin_record(*start);
            } else if (const auto* bytes = std::get_if<RecordBytes>(&*event)) {
                check->update(bytes->bytes);
                take_bytes(bytes->bytes);
            } else if (const auto* end = std::get_if<RecordEnd>(&*event)) {
                const bool is_whole = end->is_complete && !end->is_member_cut && end->length > 0;
                // A complete member shows where the next one begins, even if its digest is wrong.
                if (is_whole && packing_ != Packing::none) damage_end_ = end->offset + end->length;
                if (!is_whole || check->finish(true) == Verdict::wrong) return false;
                if (!end_record(*end)) return false;
                under_way_.reset();
                damage_end_ = scan_.good.back().end;
            } else {
                return scan_.good.empty() ? size_ == 0 : scan_.good.back().end == size_;
            }
        }
    }

    // Whether the record belongs to the file. Some writers name no warcinfo record; then only
    // records that follow each other without a gap count.
    bool is_ours(const RecordStart& start) const {
        const bool is_first = start.offset == 0 && start.header.type() == "warcinfo";
        const std::string_view id = start.header.get("WARC-Warcinfo-ID");
        const bool is_next = scan_.good.empty() || scan_.good.back().end == start.offset;
        return is_first || (info_id_.empty() ? is_next : id == info_id_);
    }

    // Where the current plain record ends by its Content-Length, if the next record or the end of
    // the file really is there.
    std::optional<std::uint64_t> claimed_end() {
        if (packing_ != Packing::none) return std::nullopt;
        const std::string head = read_some(file_, under_way_->offset, limits::kWarcHeaderBytesMax);
        const std::size_t head_size = find_after_empty_line(head, 0);
        if (head_size == std::string::npos) return std::nullopt;
        const std::uint64_t left = size_ - std::min(size_, under_way_->offset + head_size);
        if (under_way_->length > left) return std::nullopt;
        const std::uint64_t end = size_ - left + under_way_->length + kAfterPlain.size();
        const std::string next = read_some(file_, end, kPlainMagic.size());
        if (end != size_ && next != kPlainMagic) return std::nullopt;
        return end;
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

    // False if the two line ends after a plain record are missing. They are not part of its length.
    bool end_record(const RecordEnd& end) {
        FileSpan range{end.offset, end.offset + end.length};
        if (packing_ == Packing::none) {
            if (read_some(file_, range.end, kAfterPlain.size()) != kAfterPlain) return false;
            range.end += kAfterPlain.size();
        }
        ++scan_.record_count;
        // Adjacent records make one range.
        if (!scan_.good.empty() && scan_.good.back().end == range.begin) {
            scan_.good.back().end = range.end;
        } else {
            scan_.good.push_back(range);
        }
        if (is_own_metadata_) read_metadata(metadata_, pending_->entry);
        if (const auto cdx = indexer_.finish(end)) {
            hand_out();
            pending_.emplace(end.offset,
                             make_entry(*cdx, indexer_.header(), indexer_.block_start()));
            pending_->entry.archived.offset = kept_bytes_;
        }
        kept_bytes_ += range.size();
        return true;
    }

    // Passes on the last response. It had to wait, because its metadata record comes after it.
    void hand_out() {
        if (pending_) take_(*pending_);
        pending_.reset();
    }

    // Finds the id of the file's warcinfo record by a vote of a few records that surely belong to
    // the file. No digest covers a header, so a single one may be damaged.
    void learn_id() {
        std::map<std::string, int> votes;
        vote_of_first_records(votes);
        for (std::size_t i = 0; i < std::min(known_.places.size(), kVoteCount); ++i) {
            ++votes[id_at(known_.places[i])];
        }
        votes.erase("");
        const auto most =
            std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
        if (most != votes.end()) {
            info_id_ = most->first;
            return;
        }
        if (packing_ != Packing::none) return;  // find_packed() uses the first id that it finds.
        Search search(file_, 0);
        while (const auto at = search.next(kIdField)) {
            const std::string line = read_some(file_, *at + kIdField.size(), kIdBytesMax);
            info_id_ = trim(line.substr(0, line.find('\n')));
            if (info_id_.size() < kIdBytesMax) return;
        }
    }

    // The votes of the first records, as far as they follow each other from the start of the file.
    void vote_of_first_records(std::map<std::string, int>& votes) {
        WarcFile records(file_);
        for (std::size_t count = 0; count < kVoteCount;) {
            const auto event = records.next();
            if (!event || std::holds_alternative<FileEnd>(*event)) return;
            const auto* end = std::get_if<RecordEnd>(&*event);
            if (end && (!end->is_complete || end->has_stray_line)) return;
            const auto* start = std::get_if<RecordStart>(&*event);
            if (!start) continue;
            ++count;
            const bool is_info = start->header.type() == "warcinfo";
            ++votes[std::string(is_info ? start->header.id()
                                        : start->header.get("WARC-Warcinfo-ID"))];
        }
    }

    // The id of the warcinfo record that the record at `place` names; empty if no record is there.
    std::string id_at(std::uint64_t place) {
        if (place >= size_) return {};
        WarcFile records(file_, place);
        const auto event = records.next();
        const auto* start = event ? std::get_if<RecordStart>(&*event) : nullptr;
        return start ? std::string(start->header.get("WARC-Warcinfo-ID")) : std::string();
    }

    // Finds the next record by searching for the id in its header. Only records of this file
    // contain the id, so few places have to be examined. That keeps a repair linear.
    std::optional<std::uint64_t> find_plain(std::uint64_t begin) {
        if (info_id_.empty()) return std::nullopt;
        Search search(file_, begin);
        while (const auto at = search.next(info_id_)) {
            const std::uint64_t earliest =
                std::max(begin, *at - std::min<std::uint64_t>(*at, limits::kWarcHeaderBytesMax));
            const std::string before = read_some(file_, earliest, *at - earliest);
            const std::size_t magic = before.rfind(kPlainMagic);
            if (magic == std::string::npos) continue;
            const std::uint64_t place = earliest + magic;
            if (id_at(place) == info_id_) return place;
        }
        return std::nullopt;
    }

    std::optional<std::uint64_t> find_packed(std::uint64_t begin) {
        Search search(file_, begin);
        while (const auto at = search.next(magic_of(packing_))) {
            const std::string id = id_at(*at);
            if (id.empty()) continue;
            if (info_id_.empty()) info_id_ = id;
            if (id == info_id_) return *at;
        }
        return std::nullopt;
    }

    aio::File& file_;
    std::uint64_t size_;
    Packing packing_;
    const WarcKnown& known_;
    RecordIndexer indexer_;
    std::function<void(const GoodAnswer&)> take_;
    WarcScan scan_;
    std::string info_id_;           // Of the file's warcinfo record; empty: not known.
    std::uint64_t kept_bytes_ = 0;  // The size of all good records so far.
    std::uint64_t damage_end_ = 0;
    struct UnderWay {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;  // Of the block.
    };
    std::optional<UnderWay> under_way_;  // The record being read.
    std::optional<GoodAnswer> pending_;  // The last response; its metadata may follow.
    bool is_own_metadata_ = false;       // The current record is the metadata of `pending_`.
    std::string metadata_;
};

}  // namespace

std::uint64_t WarcScan::damaged_bytes() const {
    std::uint64_t bytes = 0;
    for (const FileSpan& range : damaged) bytes += range.size();
    return bytes;
}

void copy_bytes(aio::File& from, FileSpan range, aio::File& to) {
    std::string piece(kRepairPieceBytes, '\0');
    while (range.begin < range.end) {
        const std::size_t wanted = std::min<std::uint64_t>(piece.size(), range.size());
        const std::size_t count = from.read_at(range.begin, std::span(piece).first(wanted));
        if (count == 0) return;
        to.append(std::string_view(piece).substr(0, count));
        range.begin += count;
    }
}

WarcScan scan_warc(aio::File& file, const std::string& name, const WarcKnown& known,
                   const std::function<void(const GoodAnswer&)>& take) {
    return Scan(file, name, known, take).run();
}

}  // namespace weft::archive
