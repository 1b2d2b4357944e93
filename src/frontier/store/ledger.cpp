#include "frontier/store/ledger.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/escape.h"
#include "base/hash.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {

namespace {

// The records have passed a checksum, but whatever forges a log can forge the checksum too.
[[noreturn]] void throw_not_queued(const Host& host) {
    throw StoreError(fmt::format("the frontier's log speaks of a URL of {} that does not wait",
                                 escape_for_terminal(host.name)),
                     kWayOut);
}

}  // namespace

void throw_miscounted() {
    throw StoreError("the frontier's queues hold more URLs than its manifest counts", kWayOut);
}

Ledger::Ledger(aio::FileSystem& files, const std::filesystem::path& folder,
               const Manifest& manifest, MemoryShares shares)
    : seed_(manifest.hash_seed),
      shares_(shares),
      seen_(files, folder, shares.seen_bytes),
      runs_(files, folder),
      seen_count_(manifest.seen_count),
      done_count_(manifest.done_count),
      archived_(manifest.archived),
      sides_(manifest.sides) {}

void Ledger::open(const Manifest& manifest) {
    seen_.open(manifest.seen_runs);
    runs_.open(manifest.host_runs);
}

std::uint64_t Ledger::host_id(std::string_view name) const {
    return hash64(name, seed_);
}

// If two names had the same id, they would share a queue and its turn. No URL would be lost.
Host& Ledger::host(std::string_view name, std::uint64_t id) {
    if (Host* known = find(id)) return *known;
    return hosts_.insert(std::make_unique<Host>(Host{.id = id, .name = std::string(name)}));
}

Host* Ledger::find(std::uint64_t host_id) {
    if (Host* known = find_in_memory(host_id)) return known;
    std::unique_ptr<Host> loaded = runs_.load(host_id);
    if (!loaded) return nullptr;
    return &hosts_.insert(std::move(loaded));
}

void Ledger::add(Host& host, const NewUrl& url) {
    ++seen_count_;
    ++host.admitted_count;
    enqueue(host, url.lane, url.entry, url.referrer);
}

void Ledger::enqueue(Host& host, std::uint8_t number, std::string_view entry,
                     std::string_view referrer) {
    // The links of a page come one after the other, so the referrer is stored once for all of them.
    if (referrer != last_referrer_) last_referrer_ = arena_.keep(referrer);
    auto* tail = new (arena_.allocate(sizeof(TailEntry) + entry.size()))
        TailEntry{.referrer_data = last_referrer_.data(),
                  .referrer_size = static_cast<std::uint32_t>(last_referrer_.size()),
                  .size = static_cast<std::uint32_t>(entry.size())};
    std::memcpy(static_cast<void*>(tail + 1), entry.data(), entry.size());
    Lane& lane = host.lane(number);
    (lane.tail_last ? lane.tail_last->next : lane.tail_first) = tail;
    lane.tail_last = tail;
    ++lane.tail_count;
    ++lane.next;
    host.is_dirty = true;
}

Pending& Ledger::take(Host& host, Lane& lane) {
    if (lane.taken >= lane.next) throw_not_queued(host);
    host.is_dirty = true;
    WEFT_ASSERT(lane.tail_count <= lane.next - lane.taken);
    // The next entry is on disk, in front of the tail.
    if (lane.tail_count < lane.next - lane.taken) {
        if (!host.has_parts) runs_.find_parts(host);
        Pending& pending = lane.pending.emplace_back(HostRuns::read_entry(lane));
        ++lane.taken;
        return pending;
    }
    const TailEntry* first = lane.tail_first;
    WEFT_ASSERT(first);
    lane.tail_first = first->next;
    if (--lane.tail_count == 0) lane.tail_last = nullptr;
    return lane.pending.emplace_back(lane.taken++, first->bytes(), first->referrer());
}

std::string Ledger::end(Host& host, const VisitEnd& ending) {
    Lane* lane = host.find_lane(ending.slot.lane);
    if (!lane || ending.slot.sequence >= lane->next) throw_not_queued(host);
    // In a replay nothing was taken yet, as the log does not record loans. A lane is first in,
    // first out, so all entries before this one were lent too.
    while (lane->taken <= ending.slot.sequence) take(host, *lane);
    const std::optional<Pending> ended = lane->pending.take(ending.slot.sequence);
    if (!ended) throw_not_queued(host);

    QueuedUrl entry = read_entry(ended->bytes(), ended->referrer());
    host.ready_at = std::max(host.ready_at, ending.ready_at);
    host.is_dirty = true;
    std::string url(entry.url);
    // A retry is a new entry at the end of its lane, with a number of its own.
    if (ending.retry_at && !host.is_dropped) {
        ++entry.attempt;
        entry.not_before = *ending.retry_at;
        std::string bytes;
        put_entry(bytes, entry);
        enqueue(host, retry_lane(entry.attempt), bytes, entry.referrer);
    } else {
        count_done(1);
        if (ending.frees_place) {
            // Never below 0, even if a forged log says so.
            host.admitted_count -= std::min<std::uint64_t>(host.admitted_count, 1);
        } else {
            ++host.done_count;
        }
    }
    return url;
}

void Ledger::drop(Host& host, const std::vector<Slot>& lent) {
    for (Lane& lane : host.lanes) {
        const std::uint64_t before = lane.waiting_count();
        // In a replay the lent entries are still in their lane; they must be taken to be kept.
        for (const Slot& slot : lent) {
            while (slot.lane == lane.number && lane.taken <= slot.sequence) take(host, lane);
        }
        lane.pending.erase_if([&](const Pending& pending) {
            return std::ranges::none_of(lent, [&](const Slot& slot) {
                return slot.lane == lane.number && slot.sequence == pending.sequence;
            });
        });
        lane.taken = lane.next;
        lane.tail_first = lane.tail_last = nullptr;
        lane.tail_count = 0;
        lane.disk.reset();
        const std::uint64_t dropped = before - lane.pending.size();
        count_done(dropped);
        host.done_count += dropped;
    }
    host.is_dropped = true;
    host.is_dirty = true;
}

void Ledger::count_done(std::uint64_t count) {
    if (count > seen_count_ - done_count_) throw_miscounted();
    done_count_ += count;
}

void Ledger::note_archived(const ArchivePlace& place) {
    // Places may be noted out of order.
    ArchivePlace& last = archived_[place.file];
    if (place.offset + place.length >= last.offset + last.length) last = place;
}

void Ledger::note_side(std::string_view file, std::uint64_t size) {
    const auto found = sides_.find(file);
    if (found == sides_.end()) {
        sides_.emplace(file, size);
    } else {
        found->second = size;
    }
}

bool Ledger::is_full() const {
    return arena_.memory_bytes() > shares_.tail_bytes || hosts_.size() > shares_.host_count ||
           (!seen_.is_spilled() && seen_.memory_bytes() > shares_.seen_bytes);
}

void Ledger::write_runs(std::uint64_t number, Manifest& manifest) {
    std::vector<Host*> dirty;
    hosts_.for_each([&dirty](Host& host) {
        if (host.is_dirty) dirty.push_back(&host);
    });
    // Runs are sorted by id.
    std::ranges::sort(dirty, {}, &Host::id);
    seen_.write_run(number);
    runs_.write_run(number, dirty);
    for (Host* host : dirty) host->is_dirty = false;
    // All tails are in the run now; write_run() has cleared the pointers into the arena.
    arena_.clear();
    last_referrer_ = {};
    manifest.seen_runs = seen_.run_names();
    manifest.host_runs = runs_.run_names();
    manifest.seen_count = seen_count_;
    manifest.done_count = done_count_;
    manifest.archived = archived_;
    manifest.sides = sides_;
}

void Ledger::after_checkpoint() {
    seen_.after_checkpoint();
    // Only when three quarters are used, as loading a host again costs a read.
    if (hosts_.size() <= shares_.host_count / 4 * 3) return;
    hosts_.erase_if([](const Host& host) { return !host.is_on_bench; });
}

void Ledger::forget_parts() {
    hosts_.for_each([](Host& host) {
        host.has_parts = false;
        for (Lane& lane : host.lanes) lane.disk.reset();
    });
}

}  // namespace weft::frontier
