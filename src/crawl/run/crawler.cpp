#include "crawl/run/crawler.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/sync/timeout.h"
#include "aio/sync/wait_until.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/units.h"
#include "crawl/folder/page_record.h"
#include "crawl/politeness/address.h"
#include "crawl/politeness/host_care.h"
#include "frontier/store/store_error.h"

namespace weft::crawl {

using aio::Co;

namespace {

// The pause before a URL is lent again whose host, domain or address was busy.
constexpr Duration kBusyPause = 1s;
constexpr Duration kNamesPause = 10s;       // The same while the name servers are silent.
constexpr Duration kAddressLifetime = 30s;  // How long a host's address is used for its turns.
constexpr Duration kBacklogMax = 1s;  // By how much received bytes may exceed the bandwidth limit.
constexpr std::uint64_t kPieceMin = 256;     // Bytes between two checks that count as progress.
constexpr std::size_t kLinksAtOnce = 2'000;  // In one batch of admit_links().
constexpr std::size_t kLinkBytesAtOnce = 128_KiB;
constexpr std::size_t kLoggedLinkBytesMax = 16_MiB;

// The links for the page log, all of them unless its line would become too long: readers ignore
// lines of more than 64 MiB.
std::vector<std::string> links_to_log(std::span<const FoundLink> links) {
    std::vector<std::string> logged;
    std::size_t bytes = 0;
    for (const FoundLink& link : links) {
        bytes += link.url.href().size();
        if (bytes > kLoggedLinkBytesMax) break;
        logged.push_back(link.url.href());
    }
    return logged;
}

frontier::Spent spent_of(const Cost& cost) {
    return {.is_page = cost.is_page, .bytes = cost.bytes, .time = cost.time};
}

// How many links go into the next batch. The bound in bytes limits the memory of candidates.
std::size_t count_at_once(std::span<const FoundLink> links) {
    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count < links.size() && count < kLinksAtOnce && bytes < kLinkBytesAtOnce) {
        bytes += links[count++].url.href().size();
    }
    return count;
}

}  // namespace

Crawler::Crawler(const Config& config, frontier::Frontier& frontier, PageFiles files, Hooks hooks,
                 std::shared_ptr<SharedState> shared)
    : config_(config),
      frontier_(frontier),
      files_(files),
      hooks_(std::move(hooks)),
      shared_(shared ? std::move(shared) : std::make_shared<SharedState>(config)),
      admission_(config, hooks_, statistics_),
      turns_(config, shared_->addresses()),
      places_(config.concurrency),
      visitor_(config,
               {.archive = files.writer != nullptr,
                .text = files.text != nullptr,
                .shard_count = shared_->crawler_count(),
                .large_text = &shared_->large_text()},
               hooks_, shared_->content(), admission_.references()),
      network_(config, *shared_, visitor_.client_options()) {}

Co<> Crawler::run() {
    aio::EventLoop& loop = aio::EventLoop::running();
    statistics_.started = loop.time();
    // The timer must not outlive this crawler, also if run() is cancelled or throws.
    struct Timer {
        std::optional<aio::Handle> handle;
        ~Timer() {
            if (handle) handle->cancel();
        }
    } end;
    if (const auto time_max = config_.crawl_budget.time_max) {
        end.handle = loop.call_later(*time_max, [this] { stop(StopReason::time); });
    }
    const SharedState::Membership membership(*shared_, *this);
    co_await frontier_.push(admission_.seeds());
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            const bool has_room = co_await wait_for_room();
            if (!has_room) co_return;
            std::optional<frontier::Visit> lent = co_await frontier_.next();
            if (!lent) co_return;
            // The visit waits for a place in its own task, so that a later visit to a host of
            // better standing can overtake it.
            group.create_task(work(*std::move(lent)), "visit");
        }
    });
}

// The task of one lent URL. It has its own frame while it waits for a place, because thousands may.
Co<> Crawler::work(frontier::Visit lent) {
    Places::Place place(places_);
    const bool begins = co_await begin(lent.candidate.host, place);
    if (!begins) {
        co_await frontier_.complete({.visit_id = lent.id,
                                     .retry_at = aio::EventLoop::running().time(),
                                     .is_unbegun = true,
                                     .found = {}});
        co_return;
    }
    const Cost cost = co_await pursue(lent, place);
    end(cost);
}

Co<Cost> Crawler::pursue(const frontier::Visit& lent, Places::Place& place) {
    const frontier::Candidate& candidate = lent.candidate;
    auto url = web::Url::parse(candidate.url);
    if (!url) {  // Only valid URLs are ever queued, so the frontier's files are damaged.
        throw frontier::StoreError(fmt::format("state/frontier holds '{}', which is not a URL",
                                               escape_for_terminal(candidate.url)),
                                   frontier::kWayOut);
    }
    HostState& host = admission_.hosts().enter(candidate.host, url->hostname());
    const std::uint32_t attempt = put_backs_.attempt_of(candidate.url, lent.attempt);
    ActiveVisit visit{.id = lent.id,
                      .url = *std::move(url),
                      .trail = Trail::unpack(candidate.trail, candidate.depth),
                      .host = host,
                      .is_last_try = attempt >= config_.try_count_max,
                      .lease = lent.lease};
    visit.outcome.url = candidate.url;
    visit.outcome.referrer = candidate.referrer;
    visit.outcome.depth = visit.trail.depth;
    visit.outcome.via = visit.trail.via;
    visit.outcome.is_nofollow = visit.trail.is_nofollow;
    visit.outcome.attempt_count = attempt;
    co_await wait_for_start();
    visit.outcome.date = aio::EventLoop::running().wall_time();
    const Cost cost = co_await visit_and_complete(visit, place);
    admission_.hosts().leave(host);
    co_return cost;
}

// Each path completes the URL by one of finish(), try_again() and put_back(), and ends what
// admission_.begin() began. Returns what the crawl's budget is charged.
Co<Cost> Crawler::visit_and_complete(ActiveVisit& visit, Places::Place& place) {
    aio::EventLoop& loop = aio::EventLoop::running();
    if (places_.is_closed()) {
        co_await put_back(visit, loop.time());
        co_return Cost{};
    }
    const Budgets::Verdict verdict = admission_.begin(visit);
    if (verdict.room == Room::spent) {
        visit.outcome.ending = Ending::skipped;
        visit.outcome.failure = name(verdict.rule);
        visit.outcome.reason = describe(verdict.rule);
        co_await finish(visit, TimePoint{}, Cost{});
        co_return Cost{};
    }
    if (verdict.room == Room::taken) {
        co_await put_back(visit, loop.time() + kBusyPause);
        co_return Cost{};
    }

    const TimePoint began = loop.time();
    try {
        co_await visit_in_place(visit, place);
    } catch (const aio::TimeoutError&) {
        WEFT_ASSERT(visit.progress == Progress::gave_way);
    }
    if (visit.lacks_memory) stop(StopReason::memory);
    place.leave();  // The commit below may wait for the disk: it needs no place.
    if (visit.progress != Progress::ended) {
        admission_.end(visit.host, {});
        co_await put_back(visit, time_of_next_try(visit));
        co_return Cost{};
    }
    if (visit.lacks_memory) {
        co_await put_back_unjudged(visit, loop.time());
        co_return Cost{};
    }
    network_.note_answer(visit.outcome, visit.url, visit.host.turn.domain);
    NetworkState network = NetworkState::there;
    if (visit.failure) network = co_await network_.judge(visit, began);
    if (network != NetworkState::there) {
        const bool goes_on = network_.goes_on(network);
        if (!goes_on) stop(StopReason::network);
        co_await put_back_unjudged(visit, loop.time() + (goes_on ? kNamesPause : 0s));
        co_return Cost{};
    }

    const NextTry next = settle_host(visit, config_, loop.time(), loop.random());
    const Cost cost{.is_page = visit.was_asked && !next.retry_at,
                    .bytes = visit.outcome.new_bytes(),
                    .time = visit.was_asked ? visit.outcome.elapsed : Duration::zero()};
    admission_.end(visit.host, cost);
    if (next.retry_at) {
        co_await try_again(visit, next, cost);
        co_return cost;
    }
    const bool is_kept = co_await finish(visit, next.ready, cost);
    co_return is_kept ? cost : Cost{};
}

// Resolves the address, waits for the turn, visits. The visit's `progress` says how far it came.
// Throws TimeoutError if it gave way.
Co<> Crawler::visit_in_place(ActiveVisit& visit, Places::Place& place) {
    // A deadline without a time: give_way() sets it to now, which cancels whatever is awaited.
    auto crowd = co_await aio::timeout_at(std::nullopt);
    const auto has_progress = [&visit, seen = std::uint64_t{0}]() mutable {
        return visit.received_bytes - std::exchange(seen, visit.received_bytes) >= kPieceMin;
    };
    const auto give_way = [&crowd, &visit] {
        visit.progress = Progress::gave_way;
        crowd.reschedule(Duration::zero());
    };
    const TimePoint now = aio::EventLoop::running().time();
    bool is_open = may_ask(visit, now);
    if (is_open && visit.host.address_until <= now) {
        place.watch(has_progress, give_way);
        is_open = co_await find_address(visit);
        // take() gives the place up while it waits, so no other fetch needs it to give way.
        place.unwatch();
    }
    if (!is_open) {
        visit.progress = Progress::ended;
        co_return;
    }
    const std::size_t waiting_max = 4 * config_.concurrency + 1'000;
    std::optional<Turn> turn =
        co_await turns_.take(visit.host.turn, place, visit.host.standing, waiting_max);
    if (!turn || !place.is_held()) {
        visit.progress = turn ? Progress::halted : Progress::crowded;
        co_return;
    }
    if (!visit.may_fetch(aio::EventLoop::running().time())) {
        visit.progress = Progress::not_owned;
        co_return;
    }
    place.watch(has_progress, give_way);
    co_await visitor_.visit(visit);
    place.unwatch();
    // A Crawl-delay binds the host alone, not its domain or address.
    turn->set_pause(Politeness(config_.wait).pause(visit.outcome.elapsed, std::nullopt));
}

// Finds the address whose turn the fetch must wait for, if it is known here (behind a proxy it may
// not be). False: the fetch has failed already, and the outcome says why.
Co<bool> Crawler::find_address(ActiveVisit& visit) {
    HostState& host = visit.host;
    try {
        const std::optional<aio::IpAddress> address =
            co_await address_of(visit.url, visitor_.client_options());
        host.turn.address.reset();
        if (!address) co_return true;
        const auto& bytes = address->bytes();
        host.turn.address = hash64({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                   shared_->hash_seed());
        host.address_until = aio::EventLoop::running().time() + kAddressLifetime;
        co_return true;
    } catch (const http::FetchError& error) {
        Visitor::note_failure(error, visit);
        co_return false;
    }
}

// The URL has ended: its outcome, its links and its exchange are committed in one step. False: it
// does not count, as another worker makes the visit again.
Co<bool> Crawler::finish(ActiveVisit& visit, TimePoint ready, const Cost& cost) {
    Outcome& outcome = visit.outcome;
    // Before the links are judged, as this may change the scope. All shards must know that.
    if (visit.trail.is_seed_way) {
        shared_->tell(SharedState::News::lasting, [url = visit.url, outcome](Crawler& crawler) {
            crawler.admission_.seed_ways().follow(url, outcome);
        });
    }
    admission_.note_skeleton(visit.host, visit.url, visit.look, outcome);
    Admission::Result admitted;
    const std::size_t early_count = co_await admit_links(visit, admitted);
    note_left_out(visit, admitted);
    if (admitted.redirect_refusal && outcome.reason.empty()) {
        outcome.reason = describe(*admitted.redirect_refusal);
    }
    outcome.link_count = admitted.wanted_count + visit.known_link_count;
    outcome.refused = std::move(admitted.refused);
    put_backs_.take(outcome.url, outcome.refused);
    if (config_.keeps_links) outcome.links = links_to_log(visit.links);
    frontier::Completion completion{.visit_id = visit.id,
                                    .retry_at = {},
                                    .found = std::move(admitted.candidates),
                                    .host_ready_at = ready};
    completion.frees_place = outcome.ending == Ending::denied;
    completion.spent = spent_of(cost);
    // The commit shares the record: it may still run on its thread after this task is cancelled.
    const auto record =
        std::make_shared<PageRecord>(std::move(outcome),
                                     PageRecord::Parts{.capture = std::move(visit.capture),
                                                       .robots = std::move(visit.robots),
                                                       .text_line = std::move(visit.text_line)},
                                     files_);
    completion.page = record;
    const frontier::Completed completed = co_await frontier_.complete(std::move(completion));
    if (!completed.is_kept) co_return false;
    outcome = record->take_outcome();
    outcome.new_link_count = early_count + completed.new_count;
    statistics_.note(outcome);
    if (hooks_.on_outcome) hooks_.on_outcome(outcome);
    co_return true;
}

Co<> Crawler::try_again(ActiveVisit& visit, const NextTry& next, const Cost& cost) {
    ++statistics_.retry_count;
    frontier::Completion completion{.visit_id = visit.id, .retry_at = next.retry_at, .found = {}};
    completion.host_ready_at = next.ready;
    completion.spent = spent_of(cost);
    completion.found = admit_listings(visit);
    keep_robots(visit, completion);
    co_await frontier_.complete(std::move(completion));
}

// Returns the URL to the frontier, to be lent again at `when`. No attempt is counted.
Co<> Crawler::put_back(ActiveVisit& visit, TimePoint when) {
    frontier::Completion completion{.visit_id = visit.id, .retry_at = when, .found = {}};
    completion.found = admit_listings(visit);
    keep_robots(visit, completion);
    // PutBacks do not survive this run. When the crawl is being stopped, the URL is therefore
    // returned as if it had never been lent, if nothing has to be committed with it.
    // So it is if its host may belong to another worker by now.
    const bool is_stopped = places_.is_closed() || visit.progress == Progress::not_owned;
    completion.is_unbegun = is_stopped && completion.found.empty() && !completion.page;
    if (!completion.is_unbegun) put_backs_.add(visit.outcome.url);
    co_await frontier_.complete(std::move(completion));
}

// The same after a failure that is not the host's: the host need not wait either.
Co<> Crawler::put_back_unjudged(ActiveVisit& visit, TimePoint when) {
    const TimePoint now = aio::EventLoop::running().time();
    admission_.end(visit.host, {});
    co_await put_back(visit, when);
    co_await frontier_.change_host({.host = visit.host.name, .ready_at = now});
}

// When a URL whose try did not end may be lent again.
TimePoint Crawler::time_of_next_try(const ActiveVisit& visit) const {
    const TimePoint now = aio::EventLoop::running().time();
    HostState& host = visit.host;
    switch (visit.progress) {
        case Progress::crowded:
            return std::max(turns_.earliest_start(host.turn, now), now + kBusyPause);
        case Progress::too_soon: return host.next_start;
        case Progress::gave_way: host.standing = Standing::slow; return now + kBusyPause;
        default: return now;
    }
}

// Judges the links in batches. All but the last are pushed to the frontier before the page is
// complete; the last stays in `admitted`. After a crash in between, the page is visited again, and
// the pushed links are known. Returns how many of the pushed links were new.
Co<std::size_t> Crawler::admit_links(ActiveVisit& visit, Admission::Result& admitted) {
    std::span<const FoundLink> left = visit.links;
    std::size_t new_count = 0;
    for (;;) {
        const std::size_t count = count_at_once(left);
        admission_.admit(visit.url, visit.trail, visit.outcome.says_nofollow, left.first(count),
                         admitted);
        left = left.subspan(count);
        if (left.empty()) co_return new_count;
        for (frontier::Candidate& candidate : admitted.candidates) {
            candidate.referrer = visit.outcome.url;
        }
        const std::size_t added = co_await frontier_.push(std::exchange(admitted.candidates, {}));
        new_count += added;
    }
}

// The sitemaps that a freshly fetched robots.txt names, for a URL that has not ended yet. They must
// be queued now: the next try finds robots.txt in the cache, without its sitemaps. Refused ones are
// remembered and counted in the URL's outcome when it ends.
std::vector<frontier::Candidate> Crawler::admit_listings(ActiveVisit& visit) {
    std::erase_if(visit.links, [](const FoundLink& link) {
        return link.via != Via::sitemap && link.via != Via::guess;
    });
    Admission::Result admitted;
    admission_.admit(visit.url, visit.trail, false, visit.links, admitted);
    note_left_out(visit, admitted);
    put_backs_.add_refused(visit.outcome.url, admitted.refused);
    return std::move(admitted.candidates);
}

// Counts sitemaps beyond the limit of a host, which are not in the visit's links, as refused (H83).
void Crawler::note_left_out(ActiveVisit& visit, Admission::Result& admitted) {
    const std::uint64_t count = std::exchange(visit.sitemaps_left_out, 0);
    if (count == 0) return;
    statistics_.refused[Refusal::sitemap_limit] += count;
    admitted.refused[std::string(name(Refusal::sitemap_limit))] += count;
}

// Archives the fetched robots.txt with this commit, although its URL has not ended.
void Crawler::keep_robots(ActiveVisit& visit, frontier::Completion& completion) {
    if (visit.robots.empty()) return;
    completion.page = std::make_shared<PageRecord>(std::move(visit.robots), files_.writer);
}

// Waits for free budget, and while too many visits wait for a place. False: the crawl is stopped.
Co<bool> Crawler::wait_for_room() {
    if (shared_->room() == Room::spent) stop(StopReason::pages);
    while (!places_.is_closed() && (shared_->room() == Room::taken || places_.is_crowded())) {
        places_.changed().clear();
        co_await places_.changed().wait();
    }
    co_return !places_.is_closed();
}

// Waits until it has both a place and a share of the crawl's budget. Other visits may take the last
// of the budget while this one waits for a place. They need places to finish, so this visit gives
// its place up while it waits for budget. False: the crawl is being stopped.
Co<bool> Crawler::begin(const std::string& host, Places::Place& place) {
    while (!places_.is_closed()) {
        const Standing standing = admission_.hosts().standing_of(host);  // It may change in a wait.
        const bool is_in = place.try_enter(standing);
        if (!is_in) co_await place.enter(standing);
        if (!place.is_held()) break;
        if (shared_->try_begin() == Room::free) co_return true;
        place.leave();
        places_.changed().clear();
        co_await places_.changed().wait();
    }
    co_return false;
}

// Waits until the rate and bandwidth limits allow a fetch. Returns at once when the crawl is
// stopped.
Co<> Crawler::wait_for_start() {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = shared_->take_start(loop.time());
    const http::Bandwidth* bandwidth = config_.client.bandwidth.get();
    for (;;) {
        // While received bytes exceed the bandwidth limit, a new fetch would only add to them, and
        // servers close slow connections. So it begins when the backlog is nearly gone.
        const TimePoint soon = bandwidth ? bandwidth->free_at() - kBacklogMax : TimePoint::min();
        const TimePoint until = std::max(start, soon);
        if (places_.is_closed() || loop.time() >= until) co_return;
        places_.changed().clear();
        co_await aio::WaitUntil(places_.changed(), until);
    }
}

void Crawler::end(const Cost& cost) {
    shared_->end(cost);
    const bool has_budget = config_.crawl_budget.page_count_max || config_.crawl_budget.bytes_max;
    if (!has_budget) return;
    look_again();  // A fetch that costs less than was reserved frees budget.
}

void Crawler::look_again() {
    shared_->tell(SharedState::News::passing,
                  [](Crawler& crawler) { crawler.places_.changed().set(); });
    if (shared_->room() != Room::spent) return;
    stop(shared_->has_spent_pages() ? StopReason::pages : StopReason::bytes);
}

void Crawler::stop(StopReason reason) {
    shared_->note_stop(reason);
    halt();  // At once, also if run() has not registered this crawler yet.
    shared_->tell(SharedState::News::lasting, [](Crawler& crawler) { crawler.halt(); });
}

void Crawler::halt() {
    frontier_.close();
    places_.close();
}

void Crawler::remember(const Outcome& outcome) {
    statistics_.note(outcome);
    shared_->content().remember(outcome);
    const auto url = web::Url::parse(outcome.url);
    if (!url) return;
    remember_way(outcome);
    HostState& host = admission_.hosts().enter(url->host(), url->hostname());
    network_.note_answer(outcome, *url, host.turn.domain);
    admission_.remember(host, *url, outcome);
    admission_.hosts().leave(host);
}

}  // namespace weft::crawl
