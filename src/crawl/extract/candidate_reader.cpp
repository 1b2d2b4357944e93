#include "crawl/extract/candidate_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "archive/index/lines.h"
#include "archive/warc/member_decoder.h"
#include "archive/warc/record_check.h"
#include "base/escape.h"

namespace weft::crawl {
namespace {

using archive::Packing;
using namespace std::string_view_literals;

constexpr std::size_t kSearchBytes = 256_KiB;

// The bytes with which a record begins.
std::string_view magic_of(Packing packing) {
    switch (packing) {
        case Packing::none: return "WARC/1."sv;
        case Packing::gzip: return "\x1F\x8B\x08"sv;
        case Packing::zstd: return "\x28\xB5\x2F\xFD"sv;
    }
    std::unreachable();
}

Packing packing_of(aio::File& file) {
    std::array<char, 8> start{};
    const std::size_t size = file.read_at(0, start);
    return archive::sniff_packing({start.data(), size}).value_or(Packing::none);
}

}  // namespace

CandidateReader::CandidateReader(std::vector<PageInput> inputs,
                                 std::function<bool(const std::string& url)> wants)
    : inputs_(std::move(inputs)), wants_(std::move(wants)) {}

std::optional<PageCandidate> CandidateReader::next() {
    while (records_ || open_next()) {
        if (auto record = read_record()) return record;
    }
    return std::nullopt;
}

std::uint64_t CandidateReader::bytes_read() const {
    return read_before_ + (records_ ? records_->position() : 0);
}

bool CandidateReader::open_next() {
    if (next_input_ == inputs_.size()) return false;
    file_ = inputs_[next_input_++].open();
    packing_ = packing_of(*file_);
    info_id_.clear();
    try_count_ = 0;
    offset_ = 0;
    member_end_ = 0;
    records_.emplace(*file_);
    return true;
}

// Nothing if the file ends, or if damage was found: then call again.
std::optional<PageCandidate> CandidateReader::read_record() {
    for (;;) {
        auto event = records_->next();
        if (!event) {
            recover(event.error());
            return std::nullopt;
        }
        if (auto* start = std::get_if<archive::RecordStart>(&*event)) {
            begin(*start);
        } else if (const auto* bytes = std::get_if<archive::RecordBytes>(&*event)) {
            take(bytes->bytes);
        } else if (const auto* last = std::get_if<archive::RecordEnd>(&*event)) {
            if (end(*last)) return std::move(record_);
        } else {
            note_cut_member();
            close();
            return std::nullopt;
        }
    }
}

void CandidateReader::begin(archive::RecordStart& start) {
    ++record_count_;
    offset_ = start.offset;
    const bool is_info = start.header.type() == "warcinfo";
    const std::string_view info_id =
        is_info ? start.header.id() : start.header.get("WARC-Warcinfo-ID");
    if (!is_info && !info_id.empty()) info_id_ = info_id;
    const std::string url = start.header.target_uri();
    const bool may_hold = may_hold_page(start.header);
    is_terms_ = may_hold && SiteTermsBook::is_terms_url(url);
    is_wanted_ = is_terms_ || (may_hold && wants_(url));
    has_head_ = start.header.type() != "response";
    record_ = {};
    if (is_wanted_) record_.place = place_of(start.header.type(), start.offset);
    record_.header = std::move(start.header);
}

void CandidateReader::take(std::string_view bytes) {
    if (!is_wanted_) return;
    const std::size_t room = kPageBlockBytesMax - record_.block.size();
    record_.block += bytes.substr(0, room);
    record_.is_cut |= bytes.size() > room;
    if (has_head_) return;
    // Most records of an archive are no pages; their bodies are not kept.
    const std::size_t head_end = archive::find_after_empty_line(record_.block);
    if (head_end == std::string::npos && record_.block.size() < limits::kHeaderBlockBytesMax)
        return;
    has_head_ = true;
    is_wanted_ = head_end != std::string::npos &&
                 (is_terms_ || may_hold_page(record_.header, record_.block));
    if (!is_wanted_) record_.block.clear();
}

// Whether the record may hold a page.
bool CandidateReader::end(const archive::RecordEnd& end) {
    const bool is_whole = end.is_complete && !end.is_member_cut;
    // After a record that shares its member the end is not known; then nothing is missed there.
    member_end_ = end.length > 0 && is_whole ? end.offset + end.length : file_->size();
    if (!is_whole) damages_.push_back(place_of(record_.header.type(), end.offset) + " is cut off");
    if (!is_wanted_ || !is_whole) return false;
    if (is_terms_) {
        read_terms();
        return false;
    }
    record_.terms = terms_.find(record_.header.target_uri());
    return has_head_ || may_hold_page(record_.header, record_.block);
}

void CandidateReader::read_terms() {
    if (archive::parse_http_head(record_.block).status != 200) return;
    const auto content = content_of(record_);
    if (content) terms_.note(record_.header.target_uri(), content->content);
}

// Goes on at the next record, if there is one.
void CandidateReader::recover(archive::WarcError error) {
    const std::string& shown = inputs_[next_input_ - 1].shown;
    const auto found = find_record(offset_ + 1);
    if (found) {
        damages_.push_back(fmt::format("{}: damaged from byte {} to {}: {}", shown, offset_, *found,
                                       describe(error)));
        records_.emplace(*file_, *found);
        offset_ = *found;
        return;
    }
    damages_.push_back(fmt::format("{}: damaged from byte {} on, and not read further: {}", shown,
                                   offset_, describe(error)));
    close();
}

void CandidateReader::close() {
    read_before_ += file_->size();
    records_.reset();
    file_.reset();
}

// A member that is cut off before its first bytes can be unpacked gives no event at all.
void CandidateReader::note_cut_member() {
    if (packing_ == Packing::none || member_end_ >= file_->size()) return;
    std::array<char, 4> start{};
    const std::size_t size = file_->read_at(member_end_, start);
    if (!std::string_view(start.data(), size).starts_with(magic_of(packing_))) return;
    damages_.push_back(fmt::format("{}: the record at byte {} is cut off",
                                   inputs_[next_input_ - 1].shown, member_end_));
}

std::optional<std::uint64_t> CandidateReader::find_record(std::uint64_t begin) {
    const std::string_view magic = magic_of(packing_);
    std::string piece;
    for (std::uint64_t offset = begin;;) {
        piece.resize(kSearchBytes);
        piece.resize(file_->read_at(offset, piece));
        for (std::size_t at = piece.find(magic); at != std::string::npos;
             at = piece.find(magic, at + 1)) {
            if (++try_count_ > kRecordTriesMax) return std::nullopt;
            if (is_record_at(offset + at)) return offset + at;
        }
        if (piece.size() < kSearchBytes) return std::nullopt;
        offset += piece.size() - (magic.size() - 1);  // A match may lie across two pieces.
    }
}

bool CandidateReader::is_record_at(std::uint64_t offset) {
    archive::WarcFile records(*file_, offset);
    const auto event = records.next();
    const auto* start = event ? std::get_if<archive::RecordStart>(&*event) : nullptr;
    if (!start) return false;
    return info_id_.empty() || start->header.get("WARC-Warcinfo-ID") == info_id_;
}

std::string CandidateReader::place_of(std::string_view type, std::uint64_t offset) const {
    return fmt::format("{}: the {} record at byte {}", inputs_[next_input_ - 1].shown,
                       escape_for_terminal(type), offset);
}

}  // namespace weft::crawl
