#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/clock.h"
#include "frontier/bench/queued_url.h"
#include "frontier/store/chunk.h"

namespace weft::frontier {

// An entry at the end of a lane that is not in a run yet, only in memory and in the log. The bytes
// of put_entry() follow directly behind it, in the Ledger's arena.
struct TailEntry {
    TailEntry* next = nullptr;
    const char* referrer_data = nullptr;
    std::uint32_t referrer_size = 0;
    std::uint32_t size = 0;

    std::string_view bytes() const { return {reinterpret_cast<const char*>(this + 1), size}; }
    std::string_view referrer() const { return {referrer_data, referrer_size}; }
};

// An entry that was taken out of its lane and is not done: it is lent, or about to be.
class Pending {
public:
    Pending(std::uint64_t the_sequence, std::string_view bytes, std::string_view referrer)
        : sequence(the_sequence), size_(static_cast<std::uint32_t>(bytes.size())) {
        both_.reserve(bytes.size() + referrer.size());
        both_.append(bytes).append(referrer);
    }

    std::uint64_t sequence = 0;
    bool is_on_bench = false;  // It was delivered to the workbench.
    bool has_ended = false;    // See PendingList.

    std::string_view bytes() const { return std::string_view(both_).substr(0, size_); }
    std::string_view referrer() const { return std::string_view(both_).substr(size_); }

private:
    std::uint32_t size_ = 0;
    std::string both_;  // The entry's bytes, then the referrer: one allocation for both.
};

// The pending entries of a lane, by sequence. Entries that ended are only marked, and removed many
// at once: a rebuild lends all URLs of a host, and to close the gap each time would take it a time
// that grows with the square of their number.
class PendingList {
public:
    PendingList() = default;
    explicit PendingList(std::vector<Pending> items) : items_(std::move(items)) {}

    std::size_t size() const { return items_.size() - ended_count_; }
    bool empty() const { return size() == 0; }

    // REQUIRES: its sequence is the largest.
    template <class... Arguments>
    Pending& emplace_back(Arguments&&... arguments) {
        const bool was_empty = items_.empty();
        const std::uint64_t last = was_empty ? 0 : items_.back().sequence;
        Pending& added = items_.emplace_back(std::forward<Arguments>(arguments)...);
        WEFT_ASSERT(was_empty || last < added.sequence);
        return added;
    }

    // Takes the entry out. Empty if none with this sequence is pending.
    std::optional<Pending> take(std::uint64_t sequence) {
        const auto found = std::ranges::lower_bound(items_, sequence, {}, &Pending::sequence);
        if (found == items_.end() || found->sequence != sequence || found->has_ended) return {};
        found->has_ended = true;
        std::optional<Pending> taken(std::move(*found));
        WEFT_ASSERT(ended_count_ < items_.size());
        ++ended_count_;
        if (2 * ended_count_ >= items_.size()) {
            erase_if([](const Pending&) { return false; });
        }
        return taken;
    }

    template <class Condition>
    void erase_if(Condition condition) {
        std::erase_if(items_,
                      [&](const Pending& item) { return item.has_ended || condition(item); });
        ended_count_ = 0;
    }

    template <class Take>
    void each(Take take) const {
        for (const Pending& item : items_) {
            if (!item.has_ended) take(item);
        }
    }

    // Calls take(entry) for those that the workbench does not have, and marks them as there. They
    // are the last ones, because new entries come at the end.
    template <class Take>
    void deliver(Take take) {
        auto first = items_.end();
        while (first != items_.begin() && !std::prev(first)->is_on_bench) --first;
        for (; first != items_.end(); ++first) {
            first->is_on_bench = true;
            if (!first->has_ended) take(*first);
        }
    }

    // The workbench has none of them any more.
    void leave_bench() {
        for (Pending& item : items_) item.is_on_bench = false;
    }

    std::vector<Pending> copy() const {
        std::vector<Pending> items;
        items.reserve(size());
        each([&](const Pending& item) { items.push_back(item); });
        return items;
    }

    // The first bytes, for a prefetch.
    std::span<const Pending> front(std::size_t count_max) const {
        return std::span(items_).first(std::min(count_max, items_.size()));
    }

private:
    std::vector<Pending> items_;
    std::size_t ended_count_ = 0;
};

class HostRun;

// The entries of a lane that one run holds.
struct LanePart {
    std::shared_ptr<HostRun> run;
    std::uint64_t offset = 0;  // Of the chunk to read next.
    std::uint64_t end = 0;
};

// Where a lane's entries are on disk, and the chunk that is being read.
struct LaneOnDisk {
    std::vector<LanePart> parts;  // Oldest first.
    ChunkReader chunk;            // Holds the entry at Lane::taken or earlier ones, or nothing.
};

// The URLs of one host and one priority, or of one count of attempts (see entry.h). They are
// numbered in the order in which they came:
//
//     done, except `pending` | on disk | in memory
//     0 ................. taken ..... next - tail_count ..... next
struct Lane {
    std::uint8_t number = 0;
    std::uint64_t taken = 0;
    std::uint64_t next = 0;
    std::uint64_t tail_count = 0;
    TailEntry* tail_first = nullptr;
    TailEntry* tail_last = nullptr;
    PendingList pending;
    std::unique_ptr<LaneOnDisk> disk;  // Complete only if Host::has_parts.

    // Entries that are not done, those lent included.
    std::uint64_t waiting_count() const { return next - taken + pending.size(); }

    std::vector<LanePart>& parts() {
        if (!disk) disk = std::make_unique<LaneOnDisk>();
        return disk->parts;
    }
};

// What the store knows about a host. Owned by the Ledger. A reference is valid until the host is
// written to a run and removed from memory, which happens only in a checkpoint.
struct Host {
    std::uint64_t id = 0;
    std::string name;
    WallTime ready_at{};
    std::uint64_t admitted_count = 0;
    std::uint64_t done_count = 0;
    std::vector<Lane> lanes;  // Ordered by number.
    bool is_dropped = false;
    bool is_dirty = false;    // Changed since the last checkpoint.
    bool is_touched = false;  // Changed since the last Dispatcher::dispatch().
    bool is_on_bench = false;
    WallTime line_time{};     // Its key in the Dispatcher's line, while is_in_line.
    bool is_in_line = false;  // It waits for a place on the bench.
    bool has_parts = true;    // All lanes know where their entries are on disk.

    Lane* find_lane(std::uint8_t number) {
        for (Lane& lane : lanes) {
            if (lane.number == number) return &lane;
        }
        return nullptr;
    }

    // Inserts the lane if there is none. This may move the other lanes.
    Lane& lane(std::uint8_t number) {
        if (Lane* found = find_lane(number)) return *found;
        auto place = lanes.begin();
        while (place != lanes.end() && place->number < number) ++place;
        return *lanes.insert(place, Lane{.number = number});
    }

    std::uint64_t waiting_count() const {
        std::uint64_t count = 0;
        for (const Lane& each : lanes) count += each.waiting_count();
        return count;
    }
};

// The address of one URL in the store, valid until the URL is done or waits for a retry.
struct Slot {
    std::uint64_t host_id = 0;
    std::uint64_t sequence = 0;
    std::uint8_t lane = 0;
};

}  // namespace weft::frontier
