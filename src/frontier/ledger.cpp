#include "frontier/ledger.h"

#include <algorithm>
#include <new>

#include "base/assert.h"
#include "base/hash.h"

namespace weft::frontier {

std::uint64_t Ledger::host_id(std::string_view name) const {
    return hash64(name, seed_);
}

// Two names with one id would share a queue and its turn; no URL would be lost by that.
Host& Ledger::host(std::string_view name) {
    const std::uint64_t id = host_id(name);
    Host& host = hosts_[id];
    if (host.name.empty()) {
        host.id = id;
        host.name = name;
    }
    return host;
}

Host* Ledger::find(std::uint64_t host_id) {
    const auto found = hosts_.find(host_id);
    return found == hosts_.end() ? nullptr : &found->second;
}

void Ledger::add(Host& host, const NewUrl& url) {
    ++totals_.seen;
    ++host.admitted_count;
    enqueue(host, url.lane, url.entry, url.referrer);
}

void Ledger::enqueue(Host& host, std::uint8_t number, std::string_view entry,
                     std::string_view referrer) {
    // The links of a page come one after the other and share it.
    if (referrer != last_referrer_) last_referrer_ = arena_.keep(referrer);
    auto* tail = new (arena_.allocate(sizeof(TailEntry)))
        TailEntry{.bytes = arena_.keep(entry), .referrer = last_referrer_};
    Lane& lane = host.lane(number);
    (lane.tail_last ? lane.tail_last->next : lane.tail_first) = tail;
    lane.tail_last = tail;
    ++lane.tail_count;
    ++lane.next;
    host.is_dirty = true;
}

Pending& Ledger::take(Host& host, Lane& lane) {
    WEFT_ASSERT(lane.taken < lane.next);
    WEFT_ASSERT(lane.tail_count == lane.next - lane.taken);
    TailEntry* first = lane.tail_first;
    lane.tail_first = first->next;
    if (--lane.tail_count == 0) lane.tail_last = nullptr;
    host.is_dirty = true;
    return lane.pending.emplace_back(Pending{.sequence = lane.taken++,
                                             .bytes = std::string(first->bytes),
                                             .referrer = std::string(first->referrer)});
}

std::string Ledger::end(Host& host, const Ending& ending) {
    Lane* lane = host.find_lane(ending.lane);
    WEFT_ASSERT(lane != nullptr && ending.sequence < lane->next);
    // Read again from the log, entries before this one were lent too, or it would not have been.
    while (lane->taken <= ending.sequence) take(host, *lane);
    const auto pending =
        std::ranges::lower_bound(lane->pending, ending.sequence, {}, &Pending::sequence);
    WEFT_ASSERT(pending != lane->pending.end() && pending->sequence == ending.sequence);
    const Pending ended = std::move(*pending);
    lane->pending.erase(pending);

    Entry entry = read_entry(ended.bytes, ended.referrer);
    host.ready_at = std::max(host.ready_at, ending.ready_at);
    host.is_dirty = true;
    std::string url(entry.url);
    if (ending.retry_at && !host.is_dropped) {
        ++entry.attempt;
        entry.not_before = *ending.retry_at;
        std::string bytes;
        put_entry(bytes, entry);
        enqueue(host, retry_lane(entry.attempt), bytes, entry.referrer);
    } else {
        ++totals_.done;
        ++host.done_count;
    }
    return url;
}

void Ledger::drop(Host& host, const std::vector<Slot>& lent) {
    for (Lane& lane : host.lanes) {
        const std::uint64_t before = lane.waiting_count();
        // Known to be lent: taken, if that was not yet read from the log.
        for (const Slot& slot : lent) {
            while (slot.lane == lane.number && lane.taken <= slot.sequence) take(host, lane);
        }
        std::erase_if(lane.pending, [&](const Pending& pending) {
            return std::ranges::none_of(lent, [&](const Slot& slot) {
                return slot.lane == lane.number && slot.sequence == pending.sequence;
            });
        });
        lane.taken = lane.next;
        lane.tail_first = lane.tail_last = nullptr;
        lane.tail_count = 0;
        const std::uint64_t dropped = before - lane.pending.size();
        totals_.done += dropped;
        host.done_count += dropped;
    }
    host.is_dropped = true;
    host.is_dirty = true;
}

void Ledger::note_archived(const ArchivePlace& place) {
    ArchivePlace& last = archived_[place.file];
    if (place.offset + place.length >= last.offset + last.length) last = place;
}

void Ledger::note_side_size(std::string_view name, std::uint64_t size) {
    const auto found = side_sizes_.find(name);
    if (found == side_sizes_.end()) {
        side_sizes_.emplace(name, size);
    } else {
        found->second = std::max(found->second, size);
    }
}

}  // namespace weft::frontier
