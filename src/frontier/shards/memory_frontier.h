#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "aio/sync/event.h"
#include "frontier/frontier.h"

namespace weft::frontier {

struct MemoryOptions {
    std::size_t max_per_host = 1;

    // The most URLs that a host gets. Empty: no limit.
    std::optional<std::uint64_t> urls_per_host_max;

    // The approximate memory of all URLs that were ever admitted. Above it no URL is admitted.
    std::uint64_t bytes_max = UINT64_MAX;
};

// A frontier in memory, which is lost when the process ends: for small crawls, tests and
// simulations. Used on one loop's thread. Completion::outcome and the archive places are ignored;
// Completion::page is written.
class MemoryFrontier final : public Frontier {
public:
    explicit MemoryFrontier(std::size_t max_per_host)
        : MemoryFrontier(MemoryOptions{.max_per_host = max_per_host}) {}
    explicit MemoryFrontier(const MemoryOptions& options) : options_(options) {}

    aio::Co<std::size_t> push(std::vector<Candidate> candidates) override;
    aio::Co<std::optional<Visit>> next() override;
    aio::Co<Completed> complete(Completion completion) override;
    aio::Co<HostCounts> host_counts(std::string host) override;
    aio::Co<> change_host(HostChange change) override;
    void close() override;
    Counts counts() const override;

    // A URL was refused because of bytes_max.
    bool is_full() const { return is_full_; }

private:
    // The waiting URLs of one host, and the moment at which its next fetch may start.
    struct HostQueue {
        std::map<std::uint8_t, std::deque<Visit>> queues;  // By priority; no queue is empty.
        std::multimap<TimePoint, Visit> retries;  // By the time before which they are not tried.
        TimePoint ready_at{};
        std::size_t lent_count = 0;
        HostCounts counts;
        bool is_dropped = false;
    };

    // The hosts that can lend a URL, by the time at which they can. Invariant: a host is on the
    // bench, once, exactly if it has a URL and lends fewer than `max_per_host`.
    using Bench = std::set<std::pair<TimePoint, std::string>>;

    std::size_t add(std::vector<Candidate> candidates, const std::string& referrer);
    bool admits(const Candidate& candidate);
    void drop(HostQueue& host);
    void take_off_bench(const std::string& name, const HostQueue& host);
    void put_on_bench(const std::string& name, const HostQueue& host);
    void check_counts() const;
    bool can_lend(const HostQueue& host) const;
    static TimePoint lend_time(const HostQueue& host);
    static Visit take_next(HostQueue& host, TimePoint now);
    Visit lend(const std::string& name, HostQueue& host, TimePoint now);

    MemoryOptions options_;
    std::unordered_set<std::string> seen_;
    std::unordered_map<std::string, HostQueue> hosts_;
    std::unordered_map<std::uint64_t, Visit> lent_;
    Bench bench_;
    aio::Event changed_;
    std::uint64_t last_id_ = 0;
    std::uint64_t waiting_count_ = 0;
    std::uint64_t done_count_ = 0;
    std::uint64_t over_budget_count_ = 0;
    std::uint64_t bytes_ = 0;
    bool is_full_ = false;
    bool closed_ = false;
};

}  // namespace weft::frontier
