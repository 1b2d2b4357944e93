#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/calls.h"
#include "frontier/bench/workbench.h"
#include "frontier/frontier.h"

namespace weft::cluster {

// Of a workbench: the times of this worker's loop, as wall times.
inline WallTime bench_time(TimePoint time) {
    return time == TimePoint::max() ? WallTime::max() : WallTime(time.time_since_epoch());
}

// A URL that is lent.
struct HeldLoan {
    std::uint64_t host_id = 0;
    std::uint16_t shard = 0;
    std::uint64_t term = 0;
    std::string host;
    Place place;
    std::string entry;  // As it lies in Redis.
};

// The hosts that this worker has from Redis, with a few URLs of each, and the workbench that lends
// them. In Redis the URLs stay where they are until they are completed, so what is here may be
// dropped at any time.
//
// A host is here until Redis has no more URLs of it, its shard is given up, or it is sent back to
// rest. On one loop's thread.
class HeldHosts {
public:
    explicit HeldHosts(std::size_t max_per_host)
        : max_per_host_(max_per_host), bench_(max_per_host) {}

    // Owned from now on, in this term.
    void begin(std::uint16_t shard, std::uint64_t term,
               std::shared_ptr<const frontier::Lease> lease);

    // Drops the shard's URLs that are not lent, and all of its hosts.
    void end(std::uint16_t shard);

    // What `due` or `take` gave.
    void take_in(std::uint16_t shard, const HostEntries& host, TimePoint now);

    // The hosts of the shard that have too few URLs here and more in Redis.
    std::vector<TakeFrom> hungry(std::uint16_t shard, TimePoint now) const;
    std::size_t window() const { return std::max<std::size_t>(4, 2 * max_per_host_); }

    std::optional<TimePoint> next_time() const;

    // REQUIRES: next_time() <= now.
    frontier::Visit lend(TimePoint now);

    // REQUIRES: the visit is lent.
    const HeldLoan& loan(std::uint64_t visit_id) const { return lent_.at(visit_id); }

    // The visit did not begin: its URL can be lent again from `when` on.
    void give_back(std::uint64_t visit_id, TimePoint when);

    // The visit has ended; no fetch of its host before `ready`. `waiting`: the URLs of the host in
    // Redis; nothing if it is not known.
    void complete(std::uint64_t visit_id, TimePoint ready, std::optional<std::uint64_t> waiting);

    // New URLs of the host are in Redis. No effect on hosts that are not here.
    void note_more(std::uint16_t shard, const std::string& host);

    void set_ready(std::uint16_t shard, const std::string& host, TimePoint ready);

    // The host's URLs that are not lent are dropped here. Gives how many are lent.
    std::size_t drop(std::uint16_t shard, const std::string& host);

    // Removes hosts that lend nothing before `far`, so that others find room. Gives them by shard.
    std::map<std::uint16_t, std::vector<Resting>> retire(TimePoint far, TimePoint now);

    std::size_t host_count() const { return hosts_.size(); }
    std::size_t lent_count() const { return lent_.size(); }
    std::size_t lent_count(std::uint16_t shard) const;

private:
    struct Host {
        std::uint16_t shard = 0;
        std::string name;
        std::uint64_t next[4] = {0, 0, 0, 0};  // Of each class, the first that was not taken.
        std::uint64_t waiting = 0;             // In Redis, those that are here included.
        std::size_t here_count = 0;            // On the bench or lent.
        bool is_asked = false;                 // Something may be new in Redis.
        std::map<std::string, std::uint64_t> retries = {};  // On the bench or lent: entry, number.
        TimePoint ready{};
        TimePoint ask_after = TimePoint::min();  // The last question gave nothing.
    };
    struct Shard {
        std::uint64_t term = 0;
        std::shared_ptr<const frontier::Lease> lease;
        std::unordered_map<std::string, std::uint64_t> hosts = {};  // By name.
    };

    Host* find(std::uint16_t shard, const std::string& name);
    void put(std::uint64_t id, Host& host, const WaitingUrl& url, TimePoint now);
    void deliver(std::uint64_t id, const Host& host, const HeldLoan& loan, TimePoint not_before);
    void remove(std::uint64_t id);

    std::size_t max_per_host_;
    frontier::Workbench bench_;
    std::unordered_map<std::uint16_t, Shard> shards_;
    std::unordered_map<std::uint64_t, Host> hosts_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, HeldLoan> waiting_;  // By host, sequence.
    std::unordered_map<std::uint64_t, HeldLoan> lent_;                     // By visit.
    std::uint64_t last_host_id_ = 0;
    std::uint64_t last_sequence_ = 0;
};

}  // namespace weft::cluster
