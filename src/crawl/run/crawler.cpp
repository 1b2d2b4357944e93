#include "crawl/run/crawler.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/sync/wait_until.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/units.h"
#include "crawl/folder/page_record.h"
#include "crawl/politeness/host_status.h"
#include "frontier/store/store_error.h"
#include "http/client/failure.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kSoon = 5s;        // A host that responds faster has a good standing.
constexpr Duration kBacklogMax = 1s;  // By how much received bytes may exceed the bandwidth limit.
constexpr const char* kRetryAfter = "retry_after";
constexpr std::size_t kLinksAtOnce = 2'000;  // In one batch of admit().
constexpr std::size_t kLinkBytesAtOnce = 128_KiB;
constexpr std::size_t kLoggedLinkBytesMax = 16_MiB;

}  // namespace

Crawler::Crawler(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
                 Hooks hooks, SharedState* shared)
    : config_(config),
      frontier_(frontier),
      hooks_(std::move(hooks)),
      hash_seed_(aio::EventLoop::running().random()()),
      scope_(config),
      hosts_(Domains::load_if_there(config.public_suffix_list), hash_seed_, config.host_count_max),
      budgets_(config),
      traps_(config, hash_seed_),
      admission_({.config = config,
                  .hooks = hooks_,
                  .scope = scope_,
                  .hosts = hosts_,
                  .budgets = budgets_,
                  .traps = traps_,
                  .statistics = statistics_},
                 hash_seed_),
      politeness_(config.wait),
      shared_(shared ? *shared : own_shared_.emplace(config)),
      turns_(config, shared_.addresses()),
      writer_(writer),
      visitor_(config, writer != nullptr, hooks_, shared_.content()),
      places_(config.concurrency, changed_) {}

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
    const SharedState::Membership membership(shared_, *this);
    co_await push_seeds();
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            const bool has_room = co_await wait_for_room();
            if (!has_room) co_return;
            std::optional<frontier::Visit> visit = co_await frontier_.next();
            if (!visit) co_return;
            // The visit waits for a place in its own task, so that a later visit to a host of
            // better standing can overtake it.
            group.create_task(work(*std::move(visit)), "visit");
        }
    });
}

void Crawler::stop(StopReason reason) {
    shared_.note_stop(reason);
    halt();  // At once, also if run() has not registered this crawler yet.
    shared_.tell(SharedState::News::lasting, [](Crawler& crawler) { crawler.halt(); });
}

void Crawler::halt() {
    is_halted_ = true;
    frontier_.close();
    places_.close();
    changed_.set();
}

// Waits for free budget, and while too many visits wait for a place. False: the crawl is stopped.
Co<bool> Crawler::wait_for_room() {
    if (shared_.room() == Room::spent) stop(StopReason::pages);
    while (!is_halted_ && (shared_.room() == Room::taken || places_.is_crowded())) {
        changed_.clear();
        co_await changed_.wait();
    }
    co_return !is_halted_;
}

// Waits until the rate and bandwidth limits allow a fetch. Returns at once when the crawl is
// stopped.
Co<> Crawler::wait_for_start() {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = shared_.take_start(loop.time());
    const http::Bandwidth* bandwidth = config_.client.bandwidth.get();
    for (;;) {
        // While received bytes exceed the bandwidth limit, a new fetch would only add to them, and
        // servers close slow connections. So it begins when the backlog is nearly gone.
        const TimePoint soon = bandwidth ? bandwidth->free_at() - kBacklogMax : TimePoint::min();
        const TimePoint until = std::max(start, soon);
        if (is_halted_ || loop.time() >= until) co_return;
        changed_.clear();
        co_await aio::WaitUntil(changed_, until);
    }
}

// Waits until it has both a place and a share of the crawl's budget. Other visits may take the last
// of the budget while this one waits for a place. They need places to finish, so this visit gives
// its place up while it waits for budget. False: the crawl is being stopped.
Co<bool> Crawler::begin(const std::string& host, Places::Place& place) {
    while (!is_halted_) {
        const Standing standing = hosts_.standing_of(host);  // It may change during a wait.
        const bool is_in = place.try_enter(standing);
        if (!is_in) co_await place.enter(standing);
        if (!place.is_held()) break;
        if (shared_.try_begin() == Room::free) co_return true;
        place.leave();
        changed_.clear();
        co_await changed_.wait();
    }
    co_return false;
}

void Crawler::end(const Cost& cost) {
    shared_.end(cost);
    const bool has_budget = config_.crawl_budget.page_count_max || config_.crawl_budget.bytes_max;
    if (!has_budget) return;
    // A fetch that costs less than was reserved frees budget: waiting crawlers check again.
    shared_.tell(SharedState::News::passing, [](Crawler& crawler) { crawler.changed_.set(); });
    if (shared_.room() != Room::spent) return;
    stop(shared_.has_spent_pages() ? StopReason::pages : StopReason::bytes);
}

Co<> Crawler::push_seeds() {
    std::vector<frontier::Candidate> seeds;
    for (const web::Url& seed : config_.seeds) seeds.push_back(admission_.seed(seed));
    co_await frontier_.push(std::move(seeds));
}

// The task of one lent URL, from the wait for a place to its completion.
Co<> Crawler::work(frontier::Visit visit) {
    Places::Place place(places_);
    const bool begins = co_await begin(visit.candidate.host, place);
    if (!begins) {
        co_await frontier_.complete(unbegun(visit.id));
        co_return;
    }
    auto parsed = web::Url::parse(visit.candidate.url);
    if (!parsed) {  // Only valid URLs are ever queued, so the frontier's files are damaged.
        throw frontier::StoreError(fmt::format("state/frontier holds '{}', which is not a URL",
                                               escape_for_terminal(visit.candidate.url)),
                                   frontier::kWayOut);
    }
    web::Url url = *std::move(parsed);
    HostState& host = hosts_.enter(visit.candidate.host, url.hostname());
    // The frontier counts every lease as an attempt. Leases that were put back do not count.
    std::uint32_t attempt = visit.attempt;
    if (!put_back_counts_.empty()) {
        const auto waited = put_back_counts_.find(hash64(visit.candidate.url, hash_seed_));
        if (waited != put_back_counts_.end()) attempt -= std::min(attempt - 1, waited->second);
    }
    ActiveVisit active{.visit = std::move(visit),
                       .url = std::move(url),
                       .step = {},
                       .host = host,
                       .attempt = attempt,
                       .keys = {.domain = host.domain_key, .address = std::nullopt}};
    active.step = {.depth = active.visit.candidate.depth,
                   .trail = Trail::unpack(active.visit.candidate.trail)};
    Cost cost;
    co_await wait_for_start();
    co_await pursue(active, place, cost);
    hosts_.leave(host);
    end(cost);
}

// Each path completes the URL by one of finish(), try_again() and put_back(), and ends what
// budgets_.begin() began. `cost` stays empty if the crawl's budget is not charged.
Co<> Crawler::pursue(ActiveVisit& active, Places::Place& place, Cost& cost) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    if (is_halted_) {
        co_await put_back(active, loop.time());
        co_return;
    }
    VisitResult result;
    start_outcome(active, result.outcome);
    std::optional<Refused> refused = refuses_now(active);
    Budgets::Verdict verdict;
    if (!refused) {
        verdict = budgets_.begin(active.host.key, active.host.domain_key);
        if (verdict.room == Room::spent) refused = Refused{verdict.rule};
    }
    if (refused) {
        result.outcome.ending = Ending::skipped;
        result.outcome.failure = name(refused->rule);
        result.outcome.reason = describe(refused->rule);
        co_await finish(active, result, TimePoint{});
        co_return;
    }
    if (verdict.room == Room::taken) {
        co_await put_back(active, loop.time() + kBusyPause);
        co_return;
    }

    const TimePoint began = loop.time();
    const Progress progress = co_await visit_in_place(active, place, result);
    place.leave();  // The commit below may wait for the disk: it needs no place.
    if (progress != Progress::ended) {
        co_await come_again(active, result, progress);
        co_return;
    }
    if (result.lacks_memory) {
        // The lack of memory is not the host's fault: neither a try nor a pause is counted.
        budgets_.end(active.host.key, active.host.domain_key, {});
        co_await put_back(active, loop.time(), &result);
        co_await frontier_.change_host(
            {.host = active.visit.candidate.host, .ready_at = loop.time()});
        co_return;
    }
    const NetworkState network = co_await network_after(active, result, began);
    if (network != NetworkState::there) {
        co_await wait_for_network(active, result, network);
        co_return;
    }

    // may_retry() may clear `again_at`, so it comes before `ready` is computed.
    const bool retries = may_retry(active, result);
    if (result.is_put_aside) put_aside(active.host, result);
    const Duration pause = settle_host(active, result);
    const TimePoint ready = std::max(loop.time() + pause, result.again_at.value_or(TimePoint{}));
    note_wait(active.host, result, ready);
    const Outcome& outcome = result.outcome;
    cost = {.is_page = result.was_asked && !retries,
            .bytes = outcome.new_bytes(),
            .time = result.was_asked ? outcome.elapsed : Duration::zero()};
    budgets_.end(active.host.key, active.host.domain_key, cost);
    if (retries) {
        co_await try_again(active, result, ready);
    } else {
        co_await finish(active, result, ready);
    }
}

// Asks the trap rules again: the URL may have waited for a long time since it was admitted.
std::optional<Refused> Crawler::refuses_now(ActiveVisit& active) {
    if (const auto trap = traps_.refuses(active.host.key, active.url)) return Refused{*trap};
    if (active.step.trail.requisite_hops > 0) return std::nullopt;  // Patterns count pages only.
    active.look = traps_.begin(active.host.key, active.url);
    if (active.look.is_spent) return Refused{Refusal::pattern_pages};
    return std::nullopt;
}

void Crawler::start_outcome(const ActiveVisit& active, Outcome& outcome) const {
    outcome.url = active.visit.candidate.url;
    outcome.referrer = active.visit.candidate.referrer;
    outcome.depth = active.step.depth;
    outcome.via = active.step.trail.via;
    outcome.is_nofollow = active.step.trail.is_nofollow;
    outcome.attempt_count = active.attempt;
    outcome.date = aio::EventLoop::running().wall_time();
}

// Whether the URL is tried again. If its robots.txt has failed as often as a page may be tried, the
// host is closed: its other URLs end at once for the same reason, without a request for each.
bool Crawler::may_retry(const ActiveVisit& active, VisitResult& result) const {
    HostState& host = active.host;
    const bool was_closed = host.closed_until != TimePoint{};
    if (result.was_asked) host.closed_until = {};  // robots.txt allowed the request: it is open.
    if (result.trouble == Trouble::none) return false;
    const bool is_last = active.attempt >= config_.try_count_max;
    if (!result.again_at) return !is_last;  // The trouble is not a robots.txt.
    const TimePoint now = aio::EventLoop::running().time();
    // Only waits that the server asks for (Retry-After) are bounded by their sum. The crawl's own
    // waits end with the number of tries.
    const bool is_too_long = result.is_again_asked_for &&
                             *result.again_at - now > host.hold.left(config_.retry_after_max, now);
    if (!is_last && !was_closed && !is_too_long) {
        if (result.is_again_asked_for) host.hold.wait(*result.again_at, now);
        return true;
    }
    host.closed_until = *std::exchange(result.again_at, std::nullopt);
    host.closed_failure = kRobotsUnavailable;
    host.closed_reason = result.outcome.reason;
    return false;
}

// Closes a host whose Retry-After is longer than the crawl waits. Its other URLs end at once for
// the same reason, so that one host cannot keep a crawl alive for days.
void Crawler::put_aside(HostState& host, VisitResult& result) const {
    host.closed_until = aio::EventLoop::running().time() + *result.retry_after;
    host.closed_failure = kRetryAfter;
    host.closed_reason = fmt::format(
        "the host asks to be left alone for {} (Retry-After), and this crawl waits {} for a host "
        "at most (--max-retry-after)",
        human_duration(*result.retry_after), human_duration(config_.retry_after_max));
    result.outcome.failure = kRetryAfter;
    result.outcome.reason = host.closed_reason;
}

// Updates the host's state after a try and returns the pause before its next fetch: the longest of
// the polite pause, the Crawl-delay, the Retry-After and the breaker's pause.
Duration Crawler::settle_host(const ActiveVisit& active, const VisitResult& result) {
    HostState& host = active.host;
    Random& random = aio::EventLoop::running().random();
    Duration pause = politeness_.pause(result.outcome.elapsed, result.crawl_delay);
    if (!result.was_asked && !result.has_asked_robots) pause = Duration::zero();
    if (result.is_overloaded && !result.is_put_aside) {
        ++host.overload_streak;
        pause = std::max(pause, result.retry_after.value_or(
                                    overload_pause(host.overload_streak, random.unit())));
        const TimePoint now = aio::EventLoop::running().time();
        if (result.retry_after) host.hold.wait(now + *result.retry_after, now);
    } else if (!result.is_overloaded && result.outcome.status != 0) {
        host.overload_streak = 0;
        host.hold.on_good_answer();
    }
    if (result.is_about_host) {
        // A name that does not exist will not appear during the crawl: the host is given up the
        // first time the breaker would open.
        const std::uint32_t openings = result.is_hopeless ? 0 : config_.breaker_opening_max;
        const Duration open =
            host.breaker.on_failure(config_.breaker_failure_count, openings, random.unit());
        pause = std::max(pause, std::min(open, config_.breaker_pause_max));
        if (host.breaker.is_given_up()) host.last_failure = result.outcome.reason;
    } else if (result.was_asked) {
        host.breaker.on_success();
    }
    host.standing = standing_after(result, host.standing);
    return pause;
}

// The host's standing after a try. If nothing was requested, it stays as it was.
Standing Crawler::standing_after(const VisitResult& result, Standing before) {
    if (result.failure || result.trouble != Trouble::none) return Standing::slow;
    if (!result.was_asked) return before;
    return result.outcome.elapsed < kSoon ? Standing::good : Standing::slow;
}

// For displays: notes why the host is left alone. The later `if`s are the stronger reasons.
void Crawler::note_wait(HostState& host, const VisitResult& result, TimePoint ready) {
    host.ready_at = ready;
    host.wait = HostWait::pause;
    if (result.crawl_delay) host.wait = HostWait::crawl_delay;
    if (result.is_overloaded) {
        host.wait = result.retry_after ? HostWait::retry_after : HostWait::overload;
    }
    if (result.is_about_host) host.wait = HostWait::unreachable;
    if (result.again_at) host.wait = HostWait::robots;
    host.robots_status = result.robots_status;
    if (result.was_asked) host.answer_time = (3 * host.answer_time + result.outcome.elapsed) / 4;
}

// The table lists the most recently used hosts first, so a bounded look finds those that matter.
std::vector<HostStatus> Crawler::busy_hosts() const {
    constexpr std::size_t kLooksMax = 1'000;
    const TimePoint now = aio::EventLoop::running().time();
    std::vector<HostStatus> busy;
    std::size_t looks = 0;
    for (const HostState& host : hosts_.hosts()) {
        if (++looks > kLooksMax) break;
        if (host.visit_count == 0 && host.ready_at <= now) continue;
        busy.push_back({.name = host.name,
                        .under_way_count = host.visit_count,
                        .answer_time = host.answer_time,
                        .wait = host.wait,
                        .wait_left = std::max(host.ready_at - now, Duration::zero()),
                        .robots_status = host.robots_status});
    }
    return busy;
}

Co<std::vector<HostStatus>> Crawler::host_statuses() {
    co_return co_await count_waiting(frontier_, busy_hosts());
}

// Returns the URL to the frontier, to be lent again at `when`. No attempt is counted. With a
// `result`, the sitemaps and the captures of its robots.txt are kept.
Co<> Crawler::put_back(const ActiveVisit& active, TimePoint when, VisitResult* result) {
    frontier::Completion completion{.visit_id = active.visit.id, .retry_at = when, .found = {}};
    if (result) {
        completion.found = listings_of(active, *result);
        keep_robots(std::move(result->robots), completion);
    }
    // put_back_counts_ does not survive this run. When the crawl is being stopped, the URL is
    // therefore returned as if it had never been lent, if nothing has to be committed with it.
    completion.is_unbegun = is_halted_ && completion.found.empty() && !completion.page;
    if (!completion.is_unbegun) ++put_back_counts_[hash64(active.visit.candidate.url, hash_seed_)];
    co_await frontier_.complete(std::move(completion));
}

frontier::Completion Crawler::unbegun(std::uint64_t visit_id) {
    return {.visit_id = visit_id,
            .retry_at = aio::EventLoop::running().time(),
            .is_unbegun = true,
            .found = {}};
}

// The sitemaps that a freshly fetched robots.txt names, for a URL that has not ended yet. They must
// be queued now: the next try finds robots.txt in the cache, without its sitemaps. Refused ones are
// remembered and counted in the URL's outcome when it ends.
std::vector<frontier::Candidate> Crawler::listings_of(const ActiveVisit& active,
                                                      VisitResult& result) {
    std::erase_if(result.links, [](const FoundLink& link) {
        return link.via != Via::sitemap && link.via != Via::guess;
    });
    Admission::Result admitted =
        admission_.admit({.url = active.url, .step = active.step}, result.links);
    note_left_out(result, admitted);
    if (!admitted.refused.empty()) {
        auto& before = refused_before_[hash64(active.visit.candidate.url, hash_seed_)];
        for (const auto& [rule, count] : admitted.refused) before[rule] += count;
    }
    return std::move(admitted.candidates);
}

// Counts sitemaps beyond the limit of a host, which are not in `result.links`, as refused (H83).
void Crawler::note_left_out(VisitResult& result, Admission::Result& admitted) {
    const std::uint64_t count = std::exchange(result.sitemaps_left_out, 0);
    if (count == 0) return;
    statistics_.refused[Refusal::sitemap_limit] += count;
    admitted.refused[std::string(name(Refusal::sitemap_limit))] += count;
}

// Archives the fetched robots.txt with this commit, although its URL has not ended.
void Crawler::keep_robots(std::vector<archive::Capture> robots, frontier::Completion& completion) {
    if (robots.empty()) return;
    completion.page = std::make_shared<PageRecord>(std::move(robots), writer_);
}

Co<> Crawler::try_again(const ActiveVisit& active, VisitResult& result, TimePoint ready) {
    aio::EventLoop& loop = aio::EventLoop::running();
    ++statistics_.retry_count;
    Duration later = retry_pause(result.trouble, active.attempt, loop.random().unit());
    const bool was_reached =
        result.trouble != Trouble::connection && result.trouble != Trouble::name;
    if (!was_reached) later = std::min(later, config_.unreached_pause_max);
    frontier::Completion completion{.visit_id = active.visit.id, .retry_at = {}, .found = {}};
    completion.host_ready_at = ready;
    completion.retry_at = std::max(ready, loop.time() + later);
    // For displays: the host waits until the retry, not only until `ready`.
    if (result.is_about_host || result.is_overloaded) {
        active.host.ready_at = *completion.retry_at;
    }
    completion.found = listings_of(active, result);
    keep_robots(std::move(result.robots), completion);
    co_await frontier_.complete(std::move(completion));
}

namespace {

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

// Judges the links in batches. All but the last are pushed to the frontier before the page is
// complete; the last stays in `admitted`. After a crash in between, the page is visited again, and
// the pushed links are known. Returns how many of the pushed links were new.
Co<std::size_t> Crawler::admit(const ActiveVisit& active, const VisitResult& result,
                               Admission::Result& admitted) {
    const Admission::Source page{
        .url = active.url, .step = active.step, .says_nofollow = result.outcome.says_nofollow};
    std::span<const FoundLink> left = result.links;
    std::size_t new_count = 0;
    for (;;) {
        const std::size_t count = count_at_once(left);
        admission_.admit(page, left.first(count), admitted);
        left = left.subspan(count);
        if (left.empty()) co_return new_count;
        for (frontier::Candidate& candidate : admitted.candidates) {
            candidate.referrer = active.visit.candidate.url;
        }
        const std::size_t added = co_await frontier_.push(std::exchange(admitted.candidates, {}));
        new_count += added;
    }
}

Co<> Crawler::finish(const ActiveVisit& active, VisitResult& result, TimePoint ready) {
    Outcome& outcome = result.outcome;
    // Before the links are judged, as this may change the scope. All shards must know that.
    if (active.step.trail.is_seed_way) {
        shared_.tell(SharedState::News::lasting, [url = active.url, outcome](Crawler& crawler) {
            crawler.follow_seed(url, outcome);
        });
    }
    if (outcome.skeleton != 0) {
        traps_.note(active.host.key, active.url, active.look, outcome.skeleton, outcome.depth);
    }
    Admission::Result admitted;
    const std::size_t early_count = co_await admit(active, result, admitted);
    note_left_out(result, admitted);
    if (admitted.redirect_refusal && outcome.reason.empty()) {
        outcome.reason = describe(*admitted.redirect_refusal);
    }
    outcome.link_count = admitted.wanted_count;
    if (!put_back_counts_.empty()) {
        put_back_counts_.erase(hash64(active.visit.candidate.url, hash_seed_));
    }
    outcome.refused = std::move(admitted.refused);
    if (!refused_before_.empty()) {
        const auto before = refused_before_.extract(hash64(active.visit.candidate.url, hash_seed_));
        if (before) {
            for (const auto& [rule, count] : before.mapped()) outcome.refused[rule] += count;
        }
    }
    if (config_.keeps_links) {
        outcome.links = links_to_log(result.links);
    }
    frontier::Completion completion{.visit_id = active.visit.id,
                                    .retry_at = {},
                                    .found = std::move(admitted.candidates),
                                    .host_ready_at = ready};
    completion.frees_place = outcome.ending == Ending::denied;
    // The commit shares the record: it may still run on its thread after this task is cancelled.
    const auto record = std::make_shared<PageRecord>(std::move(outcome), std::move(result.capture),
                                                     std::move(result.robots), writer_);
    completion.page = record;
    const std::size_t new_count = co_await frontier_.complete(std::move(completion));
    outcome = record->take_outcome();
    outcome.new_link_count = early_count + new_count;
    statistics_.note(outcome);
    if (hooks_.on_outcome) hooks_.on_outcome(outcome);
}

}  // namespace weft::crawl
