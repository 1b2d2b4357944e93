#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aio/co.h"
#include "base/clock.h"

// What to fetch next, and what was seen.
namespace weft::frontier {

// A URL that was found and is wanted.
struct Candidate {
    std::string url;       // Serialised, absolute, without fragment.
    std::string key;       // Same page, same key (web/canonical).
    std::string host;      // Whose turn it waits for: the unit of politeness.
    std::string referrer;  // The page it was first found on; empty for a seed.
    std::uint32_t depth = 0;
    std::uint32_t redirects_left = 0;
};

// A URL lent to one worker until complete() is called for it.
struct Visit {
    std::uint64_t id = 0;
    Candidate candidate;
    std::uint32_t attempt = 1;
};

// How a visit ended: all of it becomes true in one step, or none.
struct Completion {
    std::uint64_t visit_id = 0;

    // The URL is to be tried again then; nothing: it has reached its terminal state.
    std::optional<TimePoint> retry_at;

    // Links that are wanted, in the order in which they were found.
    std::vector<Candidate> found;

    // No fetch of this host starts before.
    TimePoint host_ready_at{};
};

struct Counts {
    std::uint64_t seen = 0;     // All that were ever admitted.
    std::uint64_t waiting = 0;  // Of these: not yet lent, or to be tried again.
    std::uint64_t lent = 0;
    std::uint64_t done = 0;  // seen == waiting + lent + done, always.
};

// The queue of a crawl. Implementations: in memory (memory_frontier.h).
//
// A URL is marked as seen in the same step in which it is queued, and queued under its host. A host
// is lent out at most `max_per_host` times at once and not before its time; hosts whose time has
// come are served in the order of that time, so a slow host never holds up another.
//
// On one loop's thread.
class Frontier {
public:
    virtual ~Frontier() = default;

    // Adds seeds. Gives back how many were new.
    virtual aio::Co<std::size_t> push(std::vector<Candidate> candidates) = 0;

    // Waits for the next URL whose host's turn has come. Nothing when the crawl is over (no URL
    // waits, none is lent) or close() was called. One task waits at a time.
    virtual aio::Co<std::optional<Visit>> next() = 0;

    // Gives back how many of `found` were new.
    virtual aio::Co<std::size_t> complete(Completion completion) = 0;

    // next() gives nothing from now on; what is lent can still be completed.
    virtual void close() = 0;

    virtual Counts counts() const = 0;
};

}  // namespace weft::frontier
