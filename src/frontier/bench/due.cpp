#include "frontier/bench/due.h"

#include <algorithm>

#include "base/hash.h"
#include "frontier/bench/queued_url.h"
#include "frontier/store/codec.h"

namespace weft::frontier {
namespace {

// A page: the dues, filled up with zeros, then the checksum of both.
constexpr std::size_t kDueSize = 16;
constexpr std::size_t kPageCount = 128;
constexpr std::size_t kPageSize = kPageCount * kDueSize + 8;

WallTime retry_time(std::string_view entry) {
    return read_entry(entry, {}).not_before;
}

// The first retry time of a retry lane; nothing if the lane is empty.
std::optional<WallTime> first_retry(const Lane& lane) {
    std::optional<WallTime> first;
    lane.pending.each([&](const Pending& pending) {
        const WallTime time = retry_time(pending.bytes());
        if (!first || time < *first) first = time;
    });
    if (first || lane.taken == lane.next) return first;
    // If all waiting entries are in the tail, its first entry is the earliest, nearly: see entry.h.
    // Else the first entries are on disk and not read here. The result is then the epoch, which
    // means due at once, as due_time() may be early but never late.
    return lane.tail_count == lane.next - lane.taken ? retry_time(lane.tail_first->bytes())
                                                     : WallTime{};
}

}  // namespace

WallTime due_time(const Host& host) {
    WallTime first = WallTime::max();
    for (const Lane& lane : host.lanes) {
        if (lane.waiting_count() == 0) continue;
        // Lanes are ordered by number, so this is the first lane with a URL, and its URL waits only
        // for the host.
        if (!is_retry_lane(lane.number)) return host.ready_at;
        first = std::min(first, first_retry(lane).value_or(first));
    }
    return std::max(first, host.ready_at);
}

void DueWriter::add(Due due) {
    dues_.push_back(due);
    if (dues_.size() == kDuesPerSegment) end_segment();
}

void DueWriter::end_segment() {
    if (dues_.empty()) return;
    std::ranges::sort(dues_);
    put_fixed64(segments_, out_.offset());
    put_fixed64(segments_, dues_.size());
    std::string page;
    for (const Due& due : dues_) {
        put_time(page, due.time);
        put_fixed64(page, due.host_id);
        if (page.size() < kPageCount * kDueSize && &due != &dues_.back()) continue;
        // Only the last page of a segment is not full.
        page.resize(kPageCount * kDueSize);
        put_fixed64(page, hash64(page, out_.offset()));
        out_.append(page);
        page.clear();
    }
    dues_.clear();
}

std::string DueWriter::finish() {
    end_segment();
    return std::move(segments_);
}

DueList::DueList(RunFile& file, std::string_view segments) : file_(file) {
    for (Decoder decoder(segments); !decoder.is_empty();) {
        Segment& segment = segments_.emplace_back();
        segment.offset = decoder.fixed64();
        segment.left = decoder.fixed64();
    }
    for (std::size_t i = 0; i < segments_.size(); ++i) offer(i);
}

std::optional<Due> DueList::first() const {
    if (heads_.empty()) return std::nullopt;
    return heads_.top().first;
}

void DueList::take_first() {
    const std::size_t number = heads_.top().second;
    heads_.pop();
    segments_[number].page.pop_back();
    offer(number);
}

void DueList::offer(std::size_t number) {
    Segment& segment = segments_[number];
    if (segment.page.empty() && segment.left > 0) {
        std::string bytes;
        file_.read(segment.offset, kPageSize, bytes);
        const std::string_view body = std::string_view(bytes).substr(0, kPageCount * kDueSize);
        Decoder decoder(bytes);
        segment.page.resize(std::min<std::uint64_t>(segment.left, kPageCount));
        for (Due& due : segment.page) {
            due.time = read_time(decoder);
            due.host_id = decoder.fixed64();
        }
        const Decoder sum(std::string_view(bytes).substr(body.size()));
        if (Decoder(sum).fixed64() != hash64(body, segment.offset)) file_.fail(segment.offset);
        // take_first() removes from the back.
        std::ranges::reverse(segment.page);
        segment.left -= segment.page.size();
        segment.offset += kPageSize;
    }
    if (!segment.page.empty()) heads_.emplace(segment.page.back(), number);
}

std::size_t DueList::memory_bytes() const {
    return segments_.size() * (sizeof(Segment) + sizeof(Head) + kPageCount * sizeof(Due));
}

}  // namespace weft::frontier
