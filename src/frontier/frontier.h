#pragma once

// The states of a URL, and what moves it from one to the next.
//
//   unknown  The frontier holds nothing about its key.
//   waiting  Its key is marked as seen, and it is in the queue of its host: either for its first
//            fetch or, after a failed one, for a retry that is due at a given time.
//   lent     A worker has it, as a Visit.
//   done     It has its final outcome. It is never lent again.
//
//   unknown --push(), Completion::found--> waiting --next()--> lent --complete()--> done
//                                           |  ^                |
//                                           |  +--- retry_at ---+
//                                           +--- change_host(drop) ---> done
//
// 1. push() brings the seeds, and complete() the links of a page. A candidate whose key was seen
// before is ignored. A new one is marked as seen and queued under its host in the same step. If its
// host is full or was dropped, the candidate is refused: it stays unknown and counts in
// Counts::over_budget.
//
// 2. next() lends a URL once its host's turn has come: the host's ready time has passed, and fewer
// than `max_per_host` of its URLs are lent. Retries that are due go first, then the URLs by
// priority, of equal priority the oldest.
//
// 3. complete() ends the loan. Without `retry_at` the URL is done. With it the URL waits again, for
// one more attempt. In the same step the host gets its next ready time, and the links found are
// admitted as in 1. With `is_unbegun` the URL waits again for the same attempt, and nothing else
// changes.
//
// 4. change_host() with `drop` makes the waiting URLs of a host done. Its lent URLs become done
// when they are completed, even if a retry was asked for.
//
// 5. If the process ends, a URL that was lent waits again in the next run (disk_frontier.h); a
// frontier in memory is lost.
//
// `seen == waiting + lent + done` holds at all times.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "base/archive_place.h"
#include "base/clock.h"

// Which URL to fetch next, and which URLs were seen before.
namespace weft::frontier {

// The lowest priority that a caller can give. A larger number is taken as this one.
inline constexpr std::uint8_t kPriorityMax = 127;

// A URL that was found and that the crawl wants to fetch.
struct Candidate {
    std::string url;   // Serialised, absolute, without fragment.
    std::string key;   // Equal for URLs of the same page (web/url/canonical.h). Empty in a Visit.
    std::string host;  // The unit of politeness: the URL waits for this host's turn.

    // The page on which it was first found; empty for a seed. In Completion::found, empty means the
    // page that was visited.
    std::string referrer;
    std::uint32_t depth = 0;
    std::uint32_t trail = 0;

    // Within a host the URL with the lower number goes first; of equal numbers, the older URL. At
    // most kPriorityMax.
    std::uint8_t priority = 0;
};

// Until when fetches of a host may start. In a crawl on several machines another worker may own the
// host after that. All functions may be called from any thread.
class Lease {
public:
    bool holds(TimePoint now) const {
        return now.time_since_epoch().count() < end_.load(std::memory_order_relaxed);
    }
    void set_end(TimePoint end) {
        end_.store(end.time_since_epoch().count(), std::memory_order_relaxed);
    }

private:
    std::atomic<TimePoint::rep> end_ = TimePoint::min().time_since_epoch().count();
};

// A URL that is lent to one worker until complete() is called with its id.
struct Visit {
    std::uint64_t id = 0;
    Candidate candidate;
    std::uint32_t attempt = 1;

    // Asked just before each fetch. If it does not hold, the visit is given back with `is_unbegun`.
    // Null: it always holds.
    std::shared_ptr<const Lease> lease = {};
};

// How long a file is once a page is written to it.
struct FileSize {
    std::string file;
    std::uint64_t size = 0;
};

struct Completion;

// A page that is written to the archive by the commit of its completion, not before: so the archive
// holds the pages in the order of the log, and no page that is not in the log.
class PageToWrite {
public:
    virtual ~PageToWrite() = default;

    // Writes the page, and sets `outcome`, `archived` and `sides` of the completion. Called once,
    // just before the log is written, in the order of the commits; a frontier on disk calls it on a
    // thread of its executor. An exception from it ends the frontier.
    virtual void write(Completion& completion) = 0;
};

// What one visit has cost. If its URL will be tried again, it is not counted as a page yet.
struct Spent {
    bool is_page = false;
    std::uint64_t bytes = 0;
    Duration time{};
};

// How a visit ended. All of it takes effect in one step, or nothing does.
struct Completion {
    std::uint64_t visit_id = 0;

    // When to try the URL again. Empty: the URL is done.
    std::optional<TimePoint> retry_at;

    // The crawl is being stopped (close()) or the lease has ended, and the visit did not begin: the
    // URL waits for the next run, or until the lease is renewed, as if it had not been lent.
    // REQUIRES: `retry_at` is set. All other fields are ignored.
    bool is_unbegun = false;

    // The links of the page that are wanted, in the order in which they were found.
    std::vector<Candidate> found;

    // No fetch of this host starts before this time.
    TimePoint host_ready_at{};

    // What became of the URL, as text that only the caller understands (a line of the page log). A
    // frontier on disk stores it in the same commit and gives it to CrawlFiles::add_outcome().
    std::string outcome;

    // The last records that were written for this page. Everything before them in the file belongs
    // to this completion or to earlier ones.
    std::optional<ArchivePlace> archived;

    // Further files to which the page was appended, with their sizes after it. All that is before
    // belongs to this completion or to earlier ones.
    std::vector<FileSize> sides;

    // Sets the three fields above when the commit writes it. Null: they are set already.
    std::shared_ptr<PageToWrite> page;

    // The URL was never requested (robots.txt forbids it, for example). It no longer counts against
    // the number of URLs that its host may have.
    bool frees_place = false;

    // What the visit has cost. Only a crawl on several machines counts it here.
    Spent spent;
};

// What became of a completion.
struct Completed {
    std::size_t new_count = 0;  // Of the links in `found`.
    bool is_kept = true;  // False: another worker owns the host by now and makes the visit again.
};

// Invariant: seen == waiting + lent + done.
struct Counts {
    std::uint64_t seen = 0;     // All URLs that were ever admitted.
    std::uint64_t waiting = 0;  // Not lent yet, or to be tried again.
    std::uint64_t lent = 0;
    std::uint64_t done = 0;
    std::uint64_t over_budget = 0;  // Refusals because a host was full or dropped.
};

// The counts of one host.
struct HostCounts {
    std::uint64_t admitted = 0;  // Without the URLs whose completion has `frees_place`.
    std::uint64_t done = 0;
};

// What a user or a rule decides about one host.
struct HostChange {
    std::string host;

    // No fetch of the host starts before this time; it replaces the time set so far.
    // TimePoint::max() pauses the host.
    std::optional<TimePoint> ready_at;

    // The waiting URLs of the host become done now, and it gets no further URLs. Its lent URLs end
    // as usual, but are not tried again.
    bool drop = false;
};

// The queue of a crawl. Implementations: in memory (memory_frontier.h), on disk (disk_frontier.h),
// and one view per shard of a crawl on several loops (sharded_frontier.h).
//
// A host lends at most `max_per_host` URLs at once, and none before its ready time. Hosts that are
// ready are served in the order of their times, so a slow host never delays another.
//
// All calls are made on the thread of one loop. Cancelling push(), complete() or change_host() does
// not take the request back: it may still be carried out. Cancelling next() loses no URL.
class Frontier {
public:
    virtual ~Frontier() = default;

    // Adds seeds, or a part of the links of a page that is not complete yet: a page with very many
    // links hands them over in parts, and only the last part comes with its completion. Such links
    // name the page as their referrer. Returns how many candidates were new.
    virtual aio::Co<std::size_t> push(std::vector<Candidate> candidates) = 0;

    // Waits for the next URL whose host's turn has come, and lends it. Returns nothing if the crawl
    // is over (no URL is waiting or lent) or close() was called. REQUIRES: only one task waits here
    // at a time.
    virtual aio::Co<std::optional<Visit>> next() = 0;

    // Ends a visit. When it returns, a frontier on disk has all of it in its log, where it survives
    // the death of the process. REQUIRES: the visit is lent.
    virtual aio::Co<Completed> complete(Completion completion) = 0;

    // All zero for a host that is not known.
    virtual aio::Co<HostCounts> host_counts(std::string host) = 0;
    virtual aio::Co<> change_host(HostChange change) = 0;

    // From now on next() returns nothing. Visits that are lent can still be completed.
    virtual void close() = 0;

    virtual Counts counts() const = 0;
};

}  // namespace weft::frontier
