#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontier/arena.h"
#include "frontier/fingerprint.h"
#include "frontier/frontier.h"
#include "frontier/host.h"
#include "frontier/seen_table.h"

namespace weft::frontier {

// A URL that is new, as a record tells of it.
struct NewUrl {
    Fingerprint print;
    std::string_view host;
    std::uint8_t lane = 0;
    std::string_view entry;
    std::string_view referrer;
};

// How a visit ended, as a record tells of it.
struct Ending {
    std::uint8_t lane = 0;
    std::uint64_t sequence = 0;
    std::optional<WallTime> retry_at;
    WallTime ready_at{};
};

// The state of a crawl: what was seen, the hosts with their queues, the counts. It changes only by
// what the log's records say, and in the same way when they are written and when they are read
// again: that is why a crawl that was killed goes on as if nothing had been.
class Ledger {
public:
    struct Totals {
        std::uint64_t seen = 0;
        std::uint64_t done = 0;
    };

    explicit Ledger(std::uint64_t seed) : seed_(seed) {}

    Fingerprint fingerprint(std::string_view key) const { return fingerprint_of(key, seed_); }
    SeenTable& seen() { return seen_; }

    // Made if it is not known.
    Host& host(std::string_view name);
    Host* find(std::uint64_t host_id);
    std::uint64_t host_id(std::string_view name) const;

    // REQUIRES: its fingerprint was not seen.
    void add(Host& host, const NewUrl& url);

    // Gives back the URL that was visited.
    std::string end(Host& host, const Ending& ending);

    // Takes the next entry out of the lane. REQUIRES: taken < next.
    Pending& take(Host& host, Lane& lane);

    // All of the host that waits is done with, but for the entries lent out.
    void drop(Host& host, const std::vector<Slot>& lent);

    void note_archived(const ArchivePlace& place);
    void note_side_size(std::string_view name, std::uint64_t size);

    const Totals& totals() const { return totals_; }
    const std::map<std::string, ArchivePlace, std::less<>>& archived() const { return archived_; }
    const std::map<std::string, std::uint64_t, std::less<>>& side_sizes() const {
        return side_sizes_;
    }
    std::unordered_map<std::uint64_t, Host>& hosts() { return hosts_; }

private:
    void enqueue(Host& host, std::uint8_t lane, std::string_view entry, std::string_view referrer);

    std::uint64_t seed_;
    SeenTable seen_;
    std::unordered_map<std::uint64_t, Host> hosts_;
    Arena arena_;  // Of the tails.
    std::string_view last_referrer_;
    Totals totals_;
    std::map<std::string, ArchivePlace, std::less<>> archived_;
    std::map<std::string, std::uint64_t, std::less<>> side_sizes_;
};

}  // namespace weft::frontier
