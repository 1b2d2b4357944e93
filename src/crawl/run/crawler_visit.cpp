// The part of the Crawler that tries one fetch while it holds a place: address, turn, visit,
// failure.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "base/assert.h"
#include "base/hash.h"
#include "crawl/politeness/address.h"
#include "crawl/run/crawler.h"
#include "http/client/failure.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kAddressLifetime = 30s;  // How long a host's address is used for its turns.
constexpr std::uint64_t kPieceMin = 256;    // Bytes between two checks that count as progress.

}  // namespace

// Resolves the address, waits for the turn, visits. `progress` says how far it came; it is a
// reference because it must survive the TimeoutError that ends a fetch which gives way.
Co<> Crawler::look_and_visit(ActiveVisit& active, Places::Place& place, VisitResult& result,
                             Progress& progress) {
    // A deadline without a time: give_way() sets it to now, which cancels whatever is awaited.
    auto crowd = co_await aio::timeout_at(std::nullopt);
    const auto has_progress = [&result, seen = std::uint64_t{0}]() mutable {
        return result.received_bytes - std::exchange(seen, result.received_bytes) >= kPieceMin;
    };
    const auto give_way = [&crowd, &progress] {
        progress = Progress::gave_way;
        crowd.reschedule(Duration::zero());
    };
    place.watch(has_progress, give_way);
    const bool is_found = co_await find_address(active, result);
    if (is_found) {
        // take() gives the place up while it waits, so no other fetch needs it to give way.
        place.unwatch();
        const std::size_t waiting_max = 4 * config_.concurrency + 1'000;
        std::optional<Turn> turn =
            co_await turns_.take(active.keys, place, active.host.standing, waiting_max);
        if (!turn || !place.is_held()) {
            progress = turn ? Progress::halted : Progress::crowded;
            co_return;
        }
        place.watch(has_progress, give_way);
        progress = co_await visit_safely(active, result);
        place.unwatch();
        // A Crawl-delay binds the host alone, not its domain or address.
        turn->set_pause(politeness_.pause(result.outcome.elapsed, std::nullopt));
        co_return;
    }
    progress = Progress::ended;
}

Co<Crawler::Progress> Crawler::visit_in_place(ActiveVisit& active, Places::Place& place,
                                              VisitResult& result) {
    Progress progress = Progress::halted;
    try {
        co_await look_and_visit(active, place, result, progress);
    } catch (const aio::TimeoutError&) {
        WEFT_ASSERT(progress == Progress::gave_way);
    }
    co_return progress;
}

// Puts back a URL whose try did not end, with the time at which it may be lent again.
Co<> Crawler::come_again(const ActiveVisit& active, VisitResult& result, Progress progress) {
    const TimePoint now = aio::EventLoop::running().time();
    TimePoint when = now;
    if (progress == Progress::crowded) {
        when = std::max(turns_.earliest_start(active.keys, now), now + kBusyPause);
    }
    if (progress == Progress::too_soon) when = active.host.next_start;
    if (progress == Progress::gave_way) {
        active.host.standing = Standing::slow;
        when = now + kBusyPause;
    }
    budgets_.end(active.host.key, active.host.domain_key, {});
    co_await put_back(active, when, &result);
}

// Finds the address whose turn the fetch must wait for, if it is known here (behind a proxy it may
// not be). False: the fetch has failed already, and `result` says why.
Co<bool> Crawler::find_address(ActiveVisit& active, VisitResult& result) {
    HostState& host = active.host;
    const aio::EventLoop& loop = aio::EventLoop::running();
    if (host.breaker.is_given_up()) {
        result.outcome.failure = "host_down";
        result.outcome.reason = fmt::format(
            "the host was given up after failing again and again; at last: {}", host.last_failure);
        co_return false;
    }
    if (loop.time() < host.closed_until) {
        result.outcome.failure = host.closed_failure;
        result.outcome.reason = host.closed_reason;
        co_return false;
    }
    if (host.address_until <= loop.time()) {
        try {
            const std::optional<aio::IpAddress> address =
                co_await address_of(active.url, visitor_.client_options());
            if (!address) co_return true;
            const auto& bytes = address->bytes();
            host.address_key = hash64({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                      shared_.hash_seed());
            host.address_until = loop.time() + kAddressLifetime;
        } catch (const http::FetchError& error) {
            note_failure(error, result);
            co_return false;
        }
    }
    active.keys.address = host.address_key;
    co_return true;
}

void Crawler::note_failure(const http::FetchError& error, VisitResult& result) {
    result.outcome.failure = http::name(error.failure());
    result.outcome.reason = error.what();
    result.trouble = trouble_of(error.failure());
    result.is_about_host = is_about_host(error.failure());
    result.is_hopeless = error.failure() == http::Failure::no_such_host;
    result.failure = error.failure();
}

// The one place where failures are caught. Two things pass through: a cancellation, which ends the
// worker, and an IoError (the archive cannot be written), which ends the crawl.
Co<Crawler::Progress> Crawler::visit_safely(const ActiveVisit& active, VisitResult& result) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    Outcome& outcome = result.outcome;
    outcome.date = loop.wall_time();
    try {
        const Target target{.url = active.url,
                            .step = active.step,
                            .wants_skeleton = active.look.wants_skeleton,
                            .is_last_try = active.attempt >= config_.try_count_max,
                            .hold_left = active.host.hold.left(config_.retry_after_max, start),
                            .next_start = &active.host.next_start};
        co_await visitor_.visit(target, result);
        co_return Progress::ended;
    } catch (const TooSoon&) {
        co_return Progress::too_soon;
    } catch (const RobotsDenied& error) {
        outcome.ending = Ending::denied;
        outcome.reason = error.what();
    } catch (const RobotsUnavailable& error) {
        outcome.failure = kRobotsUnavailable;
        outcome.reason = error.what();
        result.trouble = Trouble::robots;
        result.again_at = error.again_at();
        result.is_again_asked_for = error.is_asked_for();
        result.robots_status = error.status();
    } catch (const http::FetchError& error) {
        note_failure(error, result);
    } catch (const OutOfMemory&) {
        result.lacks_memory = true;
        stop(StopReason::memory);
    } catch (const aio::IoError&) {
        throw;  // The archive cannot be written, so no later page would be kept either.
    } catch (const Error& error) {
        outcome.failure = "internal";
        outcome.reason = error.what();
    } catch (const std::bad_alloc&) {
        outcome.failure = http::name(http::Failure::no_resources);
        outcome.reason = "out of memory";
        result.trouble = Trouble::ours;
    }
    outcome.elapsed = loop.time() - start;
    co_return Progress::ended;
}

}  // namespace weft::crawl
