#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/host.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// Who is next: the hosts of one shard that have a URL to lend, by the time at which they may.
//
// It holds a few URLs of each host, which the store has delivered; more come as these are done
// with. A host is lent out at most `max_per_host` times at once and not before its time.
//
// Invariant: exactly the hosts that have a URL and a free place are on the bench, each once. A host
// with neither a URL nor a loan is forgotten: the store knows its time.
//
// On one loop's thread; knows neither the store nor the disk.
class Workbench {
public:
    explicit Workbench(std::size_t max_per_host) : max_per_host_(max_per_host) {}

    struct Item {
        Slot slot;
        Candidate candidate;
        std::uint32_t attempt = 1;
        TimePoint not_before{};
    };

    // One more URL. `host_ready_at` counts if its host was not known.
    void add(Item item, TimePoint host_ready_at);

    // The time at which the first host can lend a URL; nothing if none has one.
    std::optional<TimePoint> next_time() const;

    // REQUIRES: next_time() <= now.
    Visit lend(TimePoint now);

    // What a visit is called in the store. REQUIRES: it is lent.
    Slot slot_of(std::uint64_t visit_id) const;

    // The visit is over, and no other of the host starts before.
    void give_back(std::uint64_t visit_id, TimePoint host_ready_at);

    // Forgets up to kRetireCount hosts that have nothing lent and can lend nothing before `far`.
    // Gives their ids.
    static constexpr std::size_t kRetireCount = 16;
    std::vector<std::uint64_t> retire(TimePoint far);

    void set_ready(std::uint64_t host_id, TimePoint ready_at);

    // Forgets the host's URLs that are not lent, and all that will be added. Gives those lent.
    std::vector<Slot> drop(std::uint64_t host_id);

    std::size_t lent_count() const { return lent_.size(); }
    bool is_dropped(std::uint64_t host_id) const { return dropped_.contains(host_id); }
    std::size_t host_count() const { return hosts_.size(); }

private:
    struct Lane {
        std::uint8_t number = 0;
        std::deque<Item> items;  // By sequence; of a retry lane by not_before.
    };

    struct Host {
        std::uint64_t id = 0;
        std::uint64_t serial = 0;  // Of two hosts with one time the older comes first.
        TimePoint ready_at{};
        std::optional<TimePoint> bench_time;  // Its key on the bench.
        std::size_t lent_count = 0;
        std::vector<Lane> lanes;  // By number; none is empty.
    };

    struct Loan {
        Host* host;
        Slot slot;
    };

    using Bench = std::set<std::tuple<TimePoint, std::uint64_t, Host*>>;

    bool can_lend(const Host& host) const {
        return host.lent_count < max_per_host_ && !host.lanes.empty();
    }
    static TimePoint lend_time(const Host& host);
    static Item take_next(Host& host, TimePoint now);
    static void insert(Host& host, Item item);
    void place(Host& host);

    std::size_t max_per_host_;
    std::unordered_map<std::uint64_t, Host> hosts_;
    std::unordered_map<std::uint64_t, Loan> lent_;
    std::unordered_set<std::uint64_t> dropped_;
    Bench bench_;
    std::uint64_t last_serial_ = 0;
    std::uint64_t last_visit_id_ = 0;
};

}  // namespace weft::frontier
