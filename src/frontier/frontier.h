#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aio/task/co.h"
#include "base/clock.h"

// What to fetch next, and what was seen.
namespace weft::frontier {

// The worst place in a host's queue that a caller can give.
inline constexpr std::uint8_t kPriorityMax = 127;

// A URL that was found and is wanted.
struct Candidate {
    std::string url;   // Serialised, absolute, without fragment.
    std::string key;   // Same page, same key (web/canonical). Not kept: empty in a Visit.
    std::string host;  // Whose turn it waits for: the unit of politeness.

    // The page it was first found on; empty for a seed. In Completion::found empty means the page
    // that was visited.
    std::string referrer;
    std::uint32_t depth = 0;
    std::uint32_t redirects_left = 0;

    // Of two URLs of a host the one with the lower number goes first, of equal ones the older. Up
    // to kPriorityMax.
    std::uint8_t priority = 0;
};

// A URL lent to one worker until complete() is called for it.
struct Visit {
    std::uint64_t id = 0;
    Candidate candidate;
    std::uint32_t attempt = 1;
};

// Where a page is in the archive: the file's name, and the place of its records in it.
struct ArchivePlace {
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

// What a commit is to remember of a page.
struct Kept {
    std::string outcome;                   // See Completion.
    std::optional<ArchivePlace> archived;  // Likewise.
};

// How a visit ended: all of it becomes true in one step, or none.
struct Completion {
    std::uint64_t visit_id = 0;

    // The URL is to be tried again then; nothing: it has reached its terminal state.
    std::optional<TimePoint> retry_at;

    // The visit did not begin, and the crawl is being stopped (close()): the URL waits as if it had
    // not been lent, for another run. Needs `retry_at`; nothing else of this counts.
    bool is_unbegun = false;

    // Links that are wanted, in the order in which they were found.
    std::vector<Candidate> found;

    // No fetch of this host starts before.
    TimePoint host_ready_at{};

    // What became of the URL, in the caller's own words (a line of the page log, say). A frontier
    // on disk keeps it with the rest; see DiskOptions::on_outcome.
    std::string outcome;

    // The last that was written for this page; everything before it in the file belongs to this
    // completion or to earlier ones.
    std::optional<ArchivePlace> archived;

    // In place of `outcome` and `archived`, where these come of writing the page: called once, in
    // the order of the commits and just before this one is written, by whoever commits (a frontier
    // on disk: on a thread of its executor). What it throws ends the frontier. So the archive holds
    // the pages in the order of the log, and none that the log does not.
    std::function<Kept()> keep;

    // The URL was never asked for (robots.txt keeps it out, say): it leaves its place among the
    // URLs that its host may have.
    bool frees_place = false;

    // Other files that grow with the crawl, by name: their sizes once they hold this page.
    std::vector<std::pair<std::string, std::uint64_t>> side_sizes;
};

struct Counts {
    std::uint64_t seen = 0;     // All that were ever admitted.
    std::uint64_t waiting = 0;  // Of these: not yet lent, or to be tried again.
    std::uint64_t lent = 0;
    std::uint64_t done = 0;         // seen == waiting + lent + done, always.
    std::uint64_t over_budget = 0;  // Times that a full host refused a URL: not admitted, not seen.
};

// What is known of one host.
struct HostCounts {
    std::uint64_t admitted = 0;  // Without those that have freed their place, as below.
    std::uint64_t done = 0;
};

// What a person or a rule decides about one host.
struct HostChange {
    std::string host;

    // No fetch starts before, whatever was said earlier: TimePoint::max() pauses the host.
    std::optional<TimePoint> ready_at;

    // Its URLs that wait are done with, now, and no further ones are admitted. Those that are lent
    // end as they would, but are not tried again.
    bool drop = false;
};

// The queue of a crawl. Implementations: in memory (memory_frontier.h), on disk (disk_frontier.h).
//
// A URL is marked as seen in the same step in which it is queued, and queued under its host. A host
// is lent out at most `max_per_host` times at once and not before its time; hosts whose time has
// come are served in the order of that time, so a slow host never holds up another. Within a host
// retries that are due go first, then the others by priority.
//
// On one loop's thread.
class Frontier {
public:
    virtual ~Frontier() = default;

    // Adds seeds, or links whose page is named as their referrer and not complete yet: of a page
    // with very many links the last part alone comes with its completion. Gives back how many were
    // new.
    virtual aio::Co<std::size_t> push(std::vector<Candidate> candidates) = 0;

    // Waits for the next URL whose host's turn has come. Nothing when the crawl is over (no URL
    // waits, none is lent) or close() was called. One task waits at a time.
    virtual aio::Co<std::optional<Visit>> next() = 0;

    // Gives back how many of `found` were new. When it returns, all of it survives the death of the
    // process, if the frontier is one that does.
    virtual aio::Co<std::size_t> complete(Completion completion) = 0;

    virtual aio::Co<HostCounts> host_counts(std::string host) = 0;
    virtual aio::Co<> change_host(HostChange change) = 0;

    // next() gives nothing from now on; what is lent can still be completed.
    virtual void close() = 0;

    virtual Counts counts() const = 0;
};

}  // namespace weft::frontier
