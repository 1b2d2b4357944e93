#include "crawl/politeness/host_care.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "crawl/visit/active_visit.h"

namespace weft::crawl {
namespace {

constexpr Duration kSoon = 5s;  // A host that responds faster has a good standing.
constexpr const char* kRetryAfter = "retry_after";

// The host's standing after a try. If nothing was requested, it stays as it was.
Standing standing_after(const ActiveVisit& visit) {
    if (visit.failure || visit.trouble != Trouble::none) return Standing::slow;
    if (!visit.was_asked) return visit.host.standing;
    return visit.outcome.elapsed < kSoon ? Standing::good : Standing::slow;
}

// For displays: notes why the host is left alone. The later `if`s are the stronger reasons.
void note_wait(const ActiveVisit& visit) {
    HostState& host = visit.host;
    host.wait = HostWait::pause;
    if (visit.crawl_delay) host.wait = HostWait::crawl_delay;
    if (visit.is_overloaded) {
        host.wait = visit.retry_after ? HostWait::retry_after : HostWait::overload;
    }
    if (visit.is_about_host) host.wait = HostWait::unreachable;
    if (visit.again_at) host.wait = HostWait::robots;
    host.robots_status = visit.robots_status;
    if (visit.was_asked) host.answer_time = (3 * host.answer_time + visit.outcome.elapsed) / 4;
}

// Whether the URL is tried again. If its robots.txt has failed as often as a page may be tried, the
// host is closed: its other URLs end at once for the same reason, without a request for each.
bool may_retry(ActiveVisit& visit, const Config& config, TimePoint now) {
    HostState& host = visit.host;
    const bool was_closed = host.closed_until != TimePoint{};
    if (visit.was_asked) host.closed_until = {};  // robots.txt allowed the request: it is open.
    if (visit.trouble == Trouble::none) return false;
    if (!visit.again_at) return !visit.is_last_try;  // The trouble is not a robots.txt.
    // Only waits that the server asks for (Retry-After) are bounded by their sum. The crawl's own
    // waits end with the number of tries.
    const bool is_too_long = visit.is_again_asked_for &&
                             *visit.again_at - now > host.hold.left(config.retry_after_max, now);
    if (!visit.is_last_try && !was_closed && !is_too_long) {
        if (visit.is_again_asked_for) host.hold.wait(*visit.again_at, now);
        return true;
    }
    host.closed_until = *std::exchange(visit.again_at, std::nullopt);
    host.closed_failure = visit.outcome.failure;
    host.closed_reason = visit.outcome.reason;
    return false;
}

// Closes a host whose Retry-After is longer than the crawl waits. Its other URLs end at once for
// the same reason, so that one host cannot keep a crawl alive for days.
void put_aside(ActiveVisit& visit, const Config& config, TimePoint now) {
    HostState& host = visit.host;
    host.closed_until = now + *visit.retry_after;
    host.closed_failure = kRetryAfter;
    host.closed_reason = fmt::format(
        "the host asks to be left alone for {} (Retry-After), and this crawl waits {} for a host "
        "at most (--max-retry-after)",
        human_duration(*visit.retry_after), human_duration(config.retry_after_max));
    visit.outcome.failure = kRetryAfter;
    visit.outcome.reason = host.closed_reason;
}

// The pause before the host's next fetch: the longest of the polite pause, the Crawl-delay, the
// Retry-After and the breaker's pause.
Duration pause_after(const ActiveVisit& visit, const Config& config, TimePoint now,
                     Random& random) {
    HostState& host = visit.host;
    Duration pause = Politeness(config.wait).pause(visit.outcome.elapsed, visit.crawl_delay);
    if (!visit.was_asked && !visit.has_asked_robots) pause = Duration::zero();
    if (visit.is_overloaded && !visit.is_put_aside) {
        ++host.overload_streak;
        pause = std::max(
            pause, visit.retry_after.value_or(overload_pause(host.overload_streak, random.unit())));
        if (visit.retry_after) host.hold.wait(now + *visit.retry_after, now);
    } else if (!visit.is_overloaded && visit.outcome.status != 0) {
        host.overload_streak = 0;
        host.hold.on_good_answer();
    }
    if (visit.is_about_host) {
        // A name that does not exist will not appear during the crawl: the host is given up the
        // first time the breaker would open.
        const std::uint32_t openings = visit.is_hopeless ? 0 : config.breaker_opening_max;
        const Duration open =
            host.breaker.on_failure(config.breaker_failure_count, openings, random.unit());
        pause = std::max(pause, std::min(open, config.breaker_pause_max));
        if (host.breaker.is_given_up()) host.last_failure = visit.outcome.reason;
    } else if (visit.was_asked) {
        host.breaker.on_success();
    }
    return pause;
}

}  // namespace

bool may_ask(ActiveVisit& visit, TimePoint now) {
    const HostState& host = visit.host;
    if (host.breaker.is_given_up()) {
        visit.outcome.failure = "host_down";
        visit.outcome.reason = fmt::format(
            "the host was given up after failing again and again; at last: {}", host.last_failure);
        return false;
    }
    if (now >= host.closed_until) return true;
    visit.outcome.failure = host.closed_failure;
    visit.outcome.reason = host.closed_reason;
    return false;
}

NextTry settle_host(ActiveVisit& visit, const Config& config, TimePoint now, Random& random) {
    HostState& host = visit.host;
    // may_retry() may clear `again_at`, so it comes before `ready` is computed.
    const bool retries = may_retry(visit, config, now);
    if (visit.is_put_aside) put_aside(visit, config, now);
    const Duration pause = pause_after(visit, config, now, random);
    NextTry next{.ready = std::max(now + pause, visit.again_at.value_or(TimePoint{})),
                 .retry_at = {}};
    host.standing = standing_after(visit);
    host.ready_at = next.ready;
    note_wait(visit);
    if (!retries) return next;
    Duration later = retry_pause(visit.trouble, visit.outcome.attempt_count, random.unit());
    const bool was_reached = visit.trouble != Trouble::connection && visit.trouble != Trouble::name;
    if (!was_reached) later = std::min(later, config.unreached_pause_max);
    next.retry_at = std::max(next.ready, now + later);
    // For displays: the host waits until the retry, not only until `ready`.
    if (visit.is_about_host || visit.is_overloaded) host.ready_at = *next.retry_at;
    return next;
}

}  // namespace weft::crawl
