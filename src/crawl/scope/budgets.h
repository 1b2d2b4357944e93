#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "crawl/run/config.h"
#include "crawl/scope/recent_set.h"
#include "crawl/scope/refusal.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

// What has been spent of a budget, and how many fetches under way may still spend.
struct Account {
    std::uint64_t page_count = 0;
    std::uint64_t bytes = 0;
    Duration time{};
    std::uint32_t begun_count = 0;  // Fetches under way: pages that are not counted yet.
};

// What one fetch has cost. If it will be tried again, it is not counted as a page yet.
struct Cost {
    bool is_page = false;
    std::uint64_t bytes = 0;
    Duration time{};
};

// What the fetch of a URL that has ended has cost.
Cost cost_of(const Outcome& outcome);

// Whether a budget allows another fetch.
enum class Room : std::uint8_t {
    free,   // One more may begin.
    taken,  // The fetches under way may use up the rest: ask again when one has ended.
    spent,  // No further fetch may begin.
};

// The crawl's own account has no time: a timer of the Crawler ends the crawl.
Room room_in(const Budget& budget, const Account& account);

// The accounts of hosts and registrable domains, by their hashes (HostTable). They are exact: a
// fetch under way counts as a page until it ends. An account exists only where a budget limits it
// and something was fetched. Memory is bounded: beyond a multiple of Config::host_count_max, the
// accounts with the fewest pages are forgotten. The frontier still bounds how many URLs of such a
// host are taken.
//
// Owned by the Admission, used on its loop.
class Budgets {
public:
    explicit Budgets(const Config& config)
        : config_(config), known_hosts_(kKnownPerHost * config.host_count_max) {}

    struct Verdict {
        Room room = Room::free;
        Refusal rule = Refusal::host_pages;  // The budget that does not allow it, if not free.
    };

    // May a fetch begin? If the room is free, it has begun, and end() must follow.
    Verdict begin(std::uint64_t host, std::uint64_t domain);
    void end(std::uint64_t host, std::uint64_t domain, const Cost& cost);

    // Whether the domain may have this host: a host that was counted before, or one more.
    bool admits_host(std::uint64_t host, std::uint64_t domain);

    // Counts a sitemap file of the host. False when the host has too many.
    bool admits_sitemap(std::uint64_t host);

private:
    using Accounts = std::unordered_map<std::uint64_t, Account>;

    // Multiples of Config::host_count_max. Forgotten hosts of known_hosts_ are counted again.
    static constexpr std::size_t kKnownPerHost = 16;
    static constexpr std::size_t kAccountsPerHost = 4;

    void make_room(Accounts& accounts) const;
    static bool is_limited(const Budget& budget) {
        return budget.page_count_max || budget.bytes_max || budget.time_max;
    }

    const Config& config_;
    Accounts hosts_;
    Accounts domains_;
    std::unordered_map<std::uint64_t, std::uint64_t> host_counts_;  // Hosts, by domain.
    RecentSet known_hosts_;                                         // Hosts in host_counts_.
    std::unordered_map<std::uint64_t, std::uint32_t> sitemap_counts_;
};

}  // namespace weft::crawl
