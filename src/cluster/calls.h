#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cluster/request.h"

// The functions of frontier.lua, one C++ function each. `key` is the shard's (CrawlKeys::shard()).
// Times count from when the server does the call, in a reply from when it is read.
namespace weft::cluster {

using Milliseconds = std::chrono::milliseconds;

// The Lua code, as FUNCTION LOAD takes it, and the errors of its own that a later try mends:
// redis::ClusterOptions::library and `again`.
std::string_view function_library();
std::vector<std::string> function_errors_to_repeat();

// The time in which a worker owns a shard.
struct Term {
    std::string owner;  // "<worker>/<run>"
    std::uint64_t number = 0;

    friend bool operator==(const Term&, const Term&) = default;
};

// URLs to be added, by host and class.
struct Link {
    std::uint64_t fingerprint = 0;
    std::string entry;  // What the owner needs to fetch it; not empty.
};
struct LinkGroup {
    std::string host;
    std::string domain;
    std::uint8_t class_number = 0;  // 0 to 3: the lower, the earlier.
    std::vector<Link> links;
};
struct LinkBatch {
    std::uint64_t host_max = 0;    // URLs of a host; 0: no limit.
    std::uint64_t domain_max = 0;  // Hosts of a domain; 0: no limit.
    std::vector<LinkGroup> groups;
};

enum class Verdict : char {
    fresh = 'n',
    known = 'd',
    over_budget = 'o',
};

// Where a URL waits: behind others of its class, or among those that are tried again, by its entry.
struct QueuePlace {
    std::uint8_t class_number = 0;
    std::uint64_t number = 0;
};
struct RetryPlace {
    std::string entry;
};
using Place = std::variant<QueuePlace, RetryPlace>;

struct Ok {};

// One verdict for each URL. If an earlier try was not confirmed, a URL that was new then is new.
Request<std::vector<Verdict>> push(std::string_view key, const LinkBatch& links);

struct Claimed {
    std::optional<std::uint64_t> number;  // Of the term; nothing: another worker owns the shard.
    std::uint64_t seen = 0;
    std::uint64_t done = 0;
    std::string owner;    // If not claimed: who owns it,
    Milliseconds left{};  // and for how long unless it renews.
};
Request<Claimed> claim(std::string_view key, std::string_view owner, Milliseconds lease);
Request<Ok> renew(std::string_view key, const Term& term, Milliseconds lease);
Request<Ok> release(std::string_view key, const Term& term);

// What waits at a host.
struct WaitingUrl {
    Place place;
    Milliseconds not_before{};  // From now, of one that is tried again.
    std::string entry;
};
struct HostEntries {
    std::string host;
    Milliseconds wait{};  // Until its time.
    std::uint64_t admitted = 0;
    std::uint64_t done = 0;
    std::uint64_t pages = 0;
    std::uint64_t bytes = 0;
    Milliseconds time{};
    std::uint64_t freed = 0;
    std::vector<WaitingUrl> urls;
};

struct DueOptions {
    Milliseconds within = std::chrono::seconds(10);
    std::size_t hosts_max = 16;
    std::size_t urls_max = 4;  // Of each host.
};
struct Due {
    std::optional<Milliseconds> next;  // Until the time of the next host that is not held.
    std::vector<HostEntries> hosts;
};
Request<Due> due(std::string_view key, const Term& term, const DueOptions& options);

struct TakeFrom {
    std::string host;
    std::uint64_t first[4] = {0, 0, 0, 0};  // Of each class, the first number that is wanted.
};
Request<std::vector<HostEntries>> take(std::string_view key, const Term& term, std::size_t count,
                                       const std::vector<TakeFrom>& hosts);

struct CompletedUrl {
    std::string host;
    std::string domain;  // Empty unless domains have a budget.
    Place place;
    std::optional<Milliseconds> retry_in;  // Nothing: it has ended.
    std::string retry_entry;
    Milliseconds ready_in{};  // No fetch of the host before.
    bool is_page = false;
    std::uint64_t bytes = 0;
    Milliseconds time{};
    bool frees_place = false;
};
struct Done {
    bool was_done_before = false;        // Then the rest is empty.
    std::vector<std::uint64_t> waiting;  // At the host of each completion.
    std::vector<Verdict> links;
};
// `first` is the number of the first completion within the term, from 1 on. A call that comes again
// does nothing. Without links it is done also when the server's memory is full.
Request<Done> done(std::string_view key, const Term& term, std::uint64_t first,
                   const std::vector<CompletedUrl>& urls, const LinkBatch& links);

struct Resting {
    std::string host;
    Milliseconds ready_in{};
};
Request<Ok> rest(std::string_view key, const Term& term, const std::vector<Resting>& hosts);

struct HostDecision {
    std::string host;
    std::optional<Milliseconds> ready_in;
    bool drop = false;
    std::uint64_t lent = 0;  // URLs under way, which stay.
};
// Gives how many URLs were dropped.
Request<std::uint64_t> change(std::string_view key, const Term& term, const HostDecision& decision);

struct Fate {
    std::uint64_t taken = 0;  // Completions of the term.
    bool goes_on = false;
};
Request<Fate> fate(std::string_view key, std::uint64_t term_number);

struct Look {
    bool is_known = false;
    std::uint64_t admitted = 0;
    std::uint64_t done = 0;
    bool is_dropped = false;
    std::optional<Milliseconds> wait;
    std::string owner;  // Empty: none.
};
Request<Look> look(std::string_view key, std::string_view host, std::uint64_t fingerprint);

// The crawl's own keys (CrawlKeys::budget(), workers(), address()).
struct Wish {
    std::uint64_t max = 0;   // Pages of the crawl.
    std::uint64_t used = 0;  // By this worker, in all.
    std::uint64_t held = 0;  // Granted before, neither used nor given back.
    std::uint64_t want = 0;
};
struct Grant {
    std::uint64_t granted = 0;
    std::uint64_t left = 0;            // That no worker has.
    std::uint64_t held_by_others = 0;  // And may come back.
};
Request<Grant> grant(std::string_view key, std::string_view worker, const Wish& wish);
Request<Ok> bury(std::string_view key, std::string_view worker, std::uint64_t pages);

struct Heard {
    std::string worker;
    Milliseconds age{};
    std::string text;
};
Request<std::vector<Heard>> beat(std::string_view key, std::string_view worker,
                                 std::string_view text);
Request<Ok> leave(std::string_view key, std::string_view worker);
Request<std::uint64_t> meet(std::string_view key, std::string_view worker, Milliseconds lasting);

}  // namespace weft::cluster
