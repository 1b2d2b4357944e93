#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "crawl/run/config.h"
#include "crawl/scope/recent_set.h"
#include "crawl/scope/refusal.h"

namespace weft::crawl {

// What was spent of a budget, and what may yet be by fetches under way.
struct Account {
    std::uint64_t page_count = 0;
    std::uint64_t bytes = 0;
    Duration time{};
    std::uint32_t begun_count = 0;  // Fetches under way: pages that are not counted yet.
};

// What one fetch cost in the end. Of a fetch that is tried again, only bytes and time count.
struct Cost {
    bool is_page = false;
    std::uint64_t bytes = 0;
    Duration time{};
};

enum class Room : std::uint8_t {
    free,   // One more may begin.
    taken,  // Those under way may use up what is left: ask again when one has ended.
    spent,  // No more.
};

Room room_in(const Budget& budget, const Account& account);

// The accounts of hosts and registrable domains, by hash. Exact: what has begun counts as spent
// until it ends otherwise. Keeps an account only for what was ever fetched and where a budget could
// be overdrawn. Of very many hosts (some times Config::host_count_max) those of which least was
// fetched are forgotten; the frontier still bounds how many URLs of them are ever taken.
class Budgets {
public:
    explicit Budgets(const Config& config)
        : config_(config), known_hosts_(kKnownPerHost * config.host_count_max) {}

    struct Verdict {
        Room room = Room::free;
        Refusal rule = Refusal::host_pages;  // Which budget, unless it is free.
    };

    // May a fetch begin? If so it has begun, and end() must follow.
    Verdict begin(std::uint64_t host, std::uint64_t domain);
    void end(std::uint64_t host, std::uint64_t domain, const Cost& cost);

    // Whether the domain may have this host: one it has already, or one more.
    bool admits_host(std::uint64_t host, std::uint64_t domain);

    // Counts a sitemap file of the host; false when it has too many.
    bool admits_sitemap(std::uint64_t host);

private:
    using Accounts = std::unordered_map<std::uint64_t, Account>;

    static constexpr std::size_t kKnownPerHost = 16;  // Then the oldest count once more.
    static constexpr std::size_t kAccountsPerHost = 4;

    void make_room(Accounts& accounts) const;
    static bool is_limited(const Budget& budget) {
        return budget.page_count_max || budget.bytes_max || budget.time_max;
    }

    const Config& config_;
    Accounts hosts_;
    Accounts domains_;
    std::unordered_map<std::uint64_t, std::uint64_t> host_counts_;  // Of domains.
    RecentSet known_hosts_;
    std::unordered_map<std::uint64_t, std::uint32_t> sitemap_counts_;
};

}  // namespace weft::crawl
