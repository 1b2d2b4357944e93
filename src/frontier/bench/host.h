#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
    Pending() = default;
    Pending(std::uint64_t the_sequence, std::string_view bytes, std::string_view referrer)
        : sequence(the_sequence), size_(static_cast<std::uint32_t>(bytes.size())) {
        both_.reserve(bytes.size() + referrer.size());
        both_.append(bytes).append(referrer);
    }

    std::uint64_t sequence = 0;
    bool is_on_bench = false;  // It was delivered to the workbench.

    std::string_view bytes() const { return std::string_view(both_).substr(0, size_); }
    std::string_view referrer() const { return std::string_view(both_).substr(size_); }

private:
    std::uint32_t size_ = 0;
    std::string both_;  // The entry's bytes, then the referrer: one allocation for both.
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
    std::vector<Pending> pending;      // Ordered by sequence.
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
