#include "crawl/crawler.h"

#include <algorithm>

#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/task_group.h"
#include "aio/wait_until.h"
#include "base/hash.h"
#include "crawl/address.h"
#include "crawl/host_status.h"
#include "crawl/page_record.h"
#include "http/failure.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kAddressLifetime = 30s;
constexpr Duration kBusyPause = 1s;
constexpr Duration kBacklogMax = 1s;  // Of bytes that came faster than they may.
constexpr const char* kRobotsUnavailable = "robots_unavailable";

}  // namespace

Crawler::Crawler(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
                 Hooks hooks, Commons* commons)
    : config_(config),
      frontier_(frontier),
      hooks_(std::move(hooks)),
      hash_seed_(aio::EventLoop::running().random()()),
      scope_(config),
      hosts_(Domains::load_if_there(config.public_suffix_list), hash_seed_),
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
      commons_(commons ? *commons : own_commons_.emplace(config)),
      turns_(config, commons_.addresses()),
      writer_(writer),
      visitor_(config, writer != nullptr, hooks_, commons_.content()),
      places_(config.concurrency) {}

Co<> Crawler::run() {
    aio::EventLoop& loop = aio::EventLoop::running();
    statistics_.started = loop.time();
    std::optional<aio::Handle> end;
    if (const auto time_max = config_.crawl_budget.time_max) {
        end = loop.call_later(*time_max, [this] { stop(StopReason::time); });
    }
    const Commons::Membership membership(commons_, *this);
    co_await push_seeds();
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            const bool has_room = co_await wait_for_room();
            if (!has_room) co_return;
            std::optional<frontier::Visit> visit = co_await frontier_.next();
            if (!visit) co_return;
            const bool begins = co_await may_begin(*visit);
            if (!begins) continue;
            // Not before: a fetch that waits for its turn needs one to go on, and next() may wait
            // for just that fetch.
            aio::Semaphore::Permit permit = co_await places_.acquire();
            co_await wait_for_start();
            group.create_task(work(*std::move(visit), std::move(permit)), "visit");
        }
    });
    if (end) end->cancel();
}

void Crawler::stop(StopReason reason) {
    commons_.note_stop(reason);
    halt();
    commons_.tell(Commons::News::lasting, [](Crawler& crawler) { crawler.halt(); });
}

void Crawler::halt() {
    is_halted_ = true;
    frontier_.close();
    changed_.set();
}

// As long as those under way could use up the crawl's budget, no other begins: it is never passed.
Co<bool> Crawler::wait_for_room() {
    if (commons_.room() == Room::spent) stop(StopReason::pages);
    while (!is_halted_ && commons_.room() == Room::taken) {
        changed_.clear();
        co_await changed_.wait();
    }
    co_return !is_halted_;
}

// Whoever halts does not wait for it.
Co<> Crawler::wait_for_start() {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = commons_.take_start(loop.time());
    const http::Bandwidth* bandwidth = config_.client.bandwidth.get();
    for (;;) {
        // Fetches that would only add to what waits begin later: servers close slow connections.
        const TimePoint soon = bandwidth ? bandwidth->free_at() - kBacklogMax : TimePoint::min();
        const TimePoint until = std::max(start, soon);
        if (is_halted_ || loop.time() >= until) co_return;
        changed_.clear();
        co_await aio::WaitUntil(changed_, until);
    }
}

// Another crawler may have taken the room meanwhile: then the URL goes back.
Co<bool> Crawler::may_begin(const frontier::Visit& visit) {
    if (commons_.try_begin() == Room::free) co_return true;
    frontier::Completion completion{
        .visit_id = visit.id, .retry_at = aio::EventLoop::running().time(), .found = {}};
    ++put_back_counts_[hash64(visit.candidate.url, hash_seed_)];
    co_await frontier_.complete(std::move(completion));
    co_return false;
}

void Crawler::end(const Cost& cost) {
    commons_.end(cost);
    const bool has_budget = config_.crawl_budget.page_count_max || config_.crawl_budget.bytes_max;
    if (!has_budget) return;
    commons_.tell(Commons::News::passing, [](Crawler& crawler) { crawler.changed_.set(); });
    if (commons_.room() != Room::spent) return;
    stop(commons_.has_spent_pages() ? StopReason::pages : StopReason::bytes);
}

Co<> Crawler::push_seeds() {
    std::vector<frontier::Candidate> seeds;
    for (const web::Url& seed : config_.seeds) seeds.push_back(admission_.seed(seed));
    co_await frontier_.push(std::move(seeds));
}

Co<> Crawler::work(frontier::Visit visit, aio::Semaphore::Permit permit) {
    web::Url url = web::Url::parse(visit.candidate.url).value();
    Host& host = hosts_.enter(visit.candidate.host, url.hostname());
    std::uint32_t attempt = visit.attempt;
    if (!put_back_counts_.empty()) {
        const auto waited = put_back_counts_.find(hash64(visit.candidate.url, hash_seed_));
        if (waited != put_back_counts_.end()) attempt -= std::min(attempt - 1, waited->second);
    }
    Errand errand{.visit = std::move(visit),
                  .url = std::move(url),
                  .step = {},
                  .host = host,
                  .attempt = attempt,
                  .keys = {.domain = host.domain_key, .address = std::nullopt}};
    errand.step = {.depth = errand.visit.candidate.depth,
                   .trail = Trail::unpack(errand.visit.candidate.redirects_left)};
    Cost cost;
    co_await pursue(errand, permit, cost);
    hosts_.leave(host);
    end(cost);
}

// From the lent URL to its completion.
Co<> Crawler::pursue(Errand& errand, aio::Semaphore::Permit& permit, Cost& cost) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    if (is_halted_) {
        co_await put_back(errand, loop.time());
        co_return;
    }
    VisitResult result;
    start_outcome(errand, result.outcome);
    std::optional<Refused> refused = refuses_now(errand);
    Budgets::Verdict verdict;
    if (!refused) {
        verdict = budgets_.begin(errand.host.key, errand.host.domain_key);
        if (verdict.room == Room::spent) refused = Refused{verdict.rule};
    }
    if (refused) {
        result.outcome.ending = Ending::skipped;
        result.outcome.failure = name(refused->rule);
        result.outcome.reason = describe(refused->rule);
        co_await finish(errand, result, TimePoint{});
        co_return;
    }
    if (verdict.room == Room::taken) {
        co_await put_back(errand, loop.time() + kBusyPause);
        co_return;
    }

    Turn turn;
    const bool is_found = co_await find_address(errand, result);
    const std::size_t waiting_max = 4 * config_.concurrency + 1'000;
    if (is_found && turns_.waiting_count() >= waiting_max) {
        budgets_.end(errand.host.key, errand.host.domain_key, {});
        const TimePoint start = turns_.earliest_start(errand.keys, loop.time());
        co_await put_back(errand, std::max(start, loop.time() + kBusyPause));
        co_return;
    }
    if (is_found) {
        turn = co_await turns_.take(errand.keys, places_, permit);
        co_await visit_safely(errand, result);
    }
    if (has_lost_network(errand, result)) {
        budgets_.end(errand.host.key, errand.host.domain_key, {});
        co_await put_back(errand, loop.time(), std::move(result.robots));
        co_await frontier_.change_host(
            {.host = errand.visit.candidate.host, .ready_at = loop.time()});
        co_return;
    }

    const bool retries = may_retry(errand, result);
    const Duration pause = settle_host(errand, result);
    turn.set_pause(politeness_.pause(result.outcome.elapsed, std::nullopt));
    const TimePoint ready = std::max(loop.time() + pause, result.again_at.value_or(TimePoint{}));
    note_wait(errand.host, result, ready);
    const Outcome& outcome = result.outcome;
    cost = {.is_page = result.was_asked && !retries,
            .bytes = outcome.new_bytes(),
            .time = result.was_asked ? outcome.elapsed : Duration::zero()};
    budgets_.end(errand.host.key, errand.host.domain_key, cost);
    if (retries) {
        co_await try_again(errand, result, ready);
    } else {
        co_await finish(errand, result, ready);
    }
}

// A URL may wait long: what was learnt since it was admitted counts.
std::optional<Refused> Crawler::refuses_now(Errand& errand) {
    if (const auto trap = traps_.refuses(errand.host.key, errand.url)) return Refused{*trap};
    if (errand.step.trail.requisite_hops > 0) return std::nullopt;
    errand.look = traps_.begin(errand.host.key, errand.url);
    if (errand.look.is_spent) return Refused{Refusal::pattern_pages};
    return std::nullopt;
}

// The address whose turn the fetch waits for: none connects without. False if there is none; the
// result then says why.
Co<bool> Crawler::find_address(Errand& errand, VisitResult& result) {
    Host& host = errand.host;
    const aio::EventLoop& loop = aio::EventLoop::running();
    if (host.breaker.is_given_up()) {
        result.outcome.failure = "host_down";
        result.outcome.reason = "the host was given up: it could not be reached again and again";
        co_return false;
    }
    if (loop.time() < host.closed_until) {
        result.outcome.failure = kRobotsUnavailable;
        result.outcome.reason = host.closed_reason;
        co_return false;
    }
    if (host.address_until <= loop.time()) {
        try {
            const std::optional<aio::IpAddress> address = co_await address_of(errand.url, config_);
            if (!address) co_return true;
            if (errand.step.trail.via == Via::seed) {
                commons_.tell(Commons::News::lasting, [opened = *address](Crawler& crawler) {
                    crawler.visitor_.open_address(opened);
                });
            }
            const auto& bytes = address->bytes();
            host.address_key = hash64({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                      commons_.hash_seed());
            host.address_until = loop.time() + kAddressLifetime;
        } catch (const http::FetchError& error) {
            note_failure(error, result);
            co_return false;
        }
    }
    errand.keys.address = host.address_key;
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

// The one place where failures end. A cancellation is none: it ends the worker; nor is an archive
// that cannot be written: it ends the crawl.
Co<> Crawler::visit_safely(const Errand& errand, VisitResult& result) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    Outcome& outcome = result.outcome;
    outcome.date = loop.wall_time();
    try {
        const Target target{.url = errand.url,
                            .step = errand.step,
                            .wants_skeleton = errand.look.wants_skeleton,
                            .is_last_try = errand.attempt >= config_.try_count_max};
        co_await visitor_.visit(target, result);
        co_return;
    } catch (const RobotsDenied& error) {
        outcome.ending = Ending::denied;
        outcome.reason = error.what();
    } catch (const RobotsUnavailable& error) {
        outcome.failure = kRobotsUnavailable;
        outcome.reason = error.what();
        result.trouble = Trouble::robots;
        result.again_at = error.again_at();
        result.robots_status = error.status();
    } catch (const http::FetchError& error) {
        note_failure(error, result);
    } catch (const aio::IoError&) {
        throw;  // The archive cannot be written: no page after this one would be kept.
    } catch (const Error& error) {
        outcome.failure = "internal";
        outcome.reason = error.what();
    } catch (const std::bad_alloc&) {
        outcome.failure = http::name(http::Failure::no_resources);
        outcome.reason = "out of memory";
        result.trouble = Trouble::ours;
    }
    outcome.elapsed = loop.time() - start;
}

void Crawler::start_outcome(const Errand& errand, Outcome& outcome) const {
    outcome.url = errand.visit.candidate.url;
    outcome.referrer = errand.visit.candidate.referrer;
    outcome.depth = errand.step.depth;
    outcome.via = errand.step.trail.via;
    outcome.is_nofollow = errand.step.trail.is_nofollow;
    outcome.attempt_count = errand.attempt;
    outcome.date = aio::EventLoop::running().wall_time();
}

// A robots.txt that was asked for as often as a page would be closes the host: what else waits
// there ends at once, for the same reason, in place of asking again for each.
bool Crawler::may_retry(const Errand& errand, VisitResult& result) const {
    Host& host = errand.host;
    const bool was_closed = host.closed_until != TimePoint{};
    if (result.was_asked) host.closed_until = {};
    if (result.trouble == Trouble::none) return false;
    const bool is_last = errand.attempt >= config_.try_count_max;
    if (!result.again_at) return !is_last;
    if (!is_last && !was_closed) return true;
    host.closed_until = *std::exchange(result.again_at, std::nullopt);
    host.closed_reason = result.outcome.reason;
    return false;
}

// How long the host is left alone: the strictest of what the answer, robots.txt, the server and the
// breaker ask for.
Duration Crawler::settle_host(const Errand& errand, const VisitResult& result) {
    Host& host = errand.host;
    Random& random = aio::EventLoop::running().random();
    Duration pause = politeness_.pause(result.outcome.elapsed, result.crawl_delay);
    if (!result.was_asked && !result.has_asked_robots) pause = Duration::zero();
    if (result.is_overloaded) {
        ++host.overload_streak;
        pause = std::max(pause, result.retry_after.value_or(
                                    overload_pause(host.overload_streak, random.unit())));
    } else if (result.outcome.status != 0) {
        host.overload_streak = 0;
    }
    if (result.is_about_host) {
        const std::uint32_t openings = result.is_hopeless ? 0 : config_.breaker_opening_max;
        const Duration open =
            host.breaker.on_failure(config_.breaker_failure_count, openings, random.unit());
        pause = std::max(pause, std::min(open, config_.breaker_pause_max));
    } else if (result.was_asked) {
        host.breaker.on_success();
    }
    return pause;
}

// For those who watch: the strongest of the reasons for which the host is left alone.
void Crawler::note_wait(Host& host, const VisitResult& result, TimePoint ready) {
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

std::vector<HostStatus> Crawler::busy_hosts() const {
    constexpr std::size_t kLooksMax = 1'000;
    const TimePoint now = aio::EventLoop::running().time();
    std::vector<HostStatus> busy;
    std::size_t looks = 0;
    for (const Host& host : hosts_.hosts()) {
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

// What fails because nobody can be reached is not the hosts' fault: it waits for another run.
bool Crawler::has_lost_network(const Errand& errand, const VisitResult& result) {
    if (!config_.stops_without_network) return false;
    if (!result.outcome.address.empty()) commons_.note_answer(result.outcome.address);
    const bool is_lost = result.failure && commons_.note_failure(*result.failure, errand.host.key);
    if (!is_lost) return false;
    stop(StopReason::network);
    return true;
}

Co<> Crawler::put_back(const Errand& errand, TimePoint when, std::vector<archive::Capture> robots) {
    ++put_back_counts_[hash64(errand.visit.candidate.url, hash_seed_)];
    frontier::Completion completion{.visit_id = errand.visit.id, .retry_at = when, .found = {}};
    keep_robots(std::move(robots), completion);
    co_await frontier_.complete(std::move(completion));
}

// What was fetched of a robots.txt is archived with this commit, though its URL has not ended.
void Crawler::keep_robots(std::vector<archive::Capture> robots, frontier::Completion& completion) {
    if (robots.empty()) return;
    const auto record = std::make_shared<PageRecord>(std::move(robots), writer_);
    completion.keep = [record] { return record->keep(); };
}

Co<> Crawler::try_again(const Errand& errand, VisitResult& result, TimePoint ready) {
    aio::EventLoop& loop = aio::EventLoop::running();
    ++statistics_.retry_count;
    Duration later = retry_pause(result.trouble, errand.attempt, loop.random().unit());
    const bool was_reached =
        result.trouble != Trouble::connection && result.trouble != Trouble::name;
    if (!was_reached) later = std::min(later, config_.unreached_pause_max);
    frontier::Completion completion{.visit_id = errand.visit.id, .retry_at = {}, .found = {}};
    completion.host_ready_at = ready;
    completion.retry_at = std::max(ready, loop.time() + later);
    // For those who watch: why nothing happens.
    if (result.is_about_host || result.is_overloaded) {
        errand.host.ready_at = *completion.retry_at;
    }
    // Sitemaps that robots.txt named are not named again.
    std::erase_if(result.links, [](const FoundLink& link) {
        return link.via != Via::sitemap && link.via != Via::guess;
    });
    Admission::Result admitted =
        admission_.admit({.url = errand.url, .step = errand.step}, result.links);
    completion.found = std::move(admitted.candidates);
    keep_robots(std::move(result.robots), completion);
    co_await frontier_.complete(std::move(completion));
}

Co<> Crawler::finish(const Errand& errand, VisitResult& result, TimePoint ready) {
    Outcome& outcome = result.outcome;
    if (errand.step.trail.is_seed_way) {
        commons_.tell(Commons::News::lasting, [url = errand.url, outcome](Crawler& crawler) {
            crawler.follow_seed(url, outcome);
        });
    }
    if (outcome.skeleton != 0) {
        traps_.note(errand.host.key, errand.url, errand.look, outcome.skeleton, outcome.depth);
    }
    Admission::Result admitted = admission_.admit(
        {.url = errand.url, .step = errand.step, .says_nofollow = outcome.says_nofollow},
        result.links);
    if (admitted.redirect_refusal && outcome.reason.empty()) {
        outcome.reason = describe(*admitted.redirect_refusal);
    }
    outcome.link_count = admitted.wanted_count;
    if (!put_back_counts_.empty()) {
        put_back_counts_.erase(hash64(errand.visit.candidate.url, hash_seed_));
    }
    outcome.refused = std::move(admitted.refused);
    if (config_.keeps_links) {
        for (const FoundLink& link : result.links) outcome.links.push_back(link.url.href());
    }
    frontier::Completion completion{.visit_id = errand.visit.id,
                                    .retry_at = {},
                                    .found = std::move(admitted.candidates),
                                    .host_ready_at = ready};
    // Shared with the commit: it may go on when this task is cancelled.
    const auto record = std::make_shared<PageRecord>(std::move(outcome), std::move(result.capture),
                                                     std::move(result.robots), writer_);
    completion.keep = [record] { return record->keep(); };
    const std::size_t new_count = co_await frontier_.complete(std::move(completion));
    outcome = record->take_outcome();
    outcome.new_link_count = new_count;
    statistics_.note(outcome);
    if (hooks_.on_outcome) hooks_.on_outcome(outcome);
}

namespace {

Cost cost_of(const Outcome& outcome) {
    return {.is_page = outcome.ending != Ending::skipped && outcome.ending != Ending::denied,
            .bytes = outcome.new_bytes(),
            .time = outcome.elapsed};
}

}  // namespace

void Crawler::remember_way(const Outcome& outcome) {
    if (outcome.via != Via::seed && !seed_of_.contains(outcome.url)) return;
    if (const auto url = web::Url::parse(outcome.url)) follow_seed(*url, outcome);
}

void Crawler::remember_spent(const Outcome& outcome) {
    commons_.add(cost_of(outcome));
}

void Crawler::remember(const Outcome& outcome) {
    statistics_.note(outcome);
    if (!outcome.address.empty()) commons_.note_answer(outcome.address);
    commons_.content().remember(outcome);
    const auto url = web::Url::parse(outcome.url);
    if (!url) return;
    remember_way(outcome);
    Host& host = hosts_.enter(std::string(url->host()), url->hostname());
    budgets_.begin(host.key, host.domain_key);
    budgets_.end(host.key, host.domain_key, cost_of(outcome));
    if (outcome.via != Via::requisite && outcome.ending != Ending::skipped) {
        const TrapWatch::Look look = traps_.begin(host.key, *url);
        if (outcome.skeleton != 0) {
            traps_.note(host.key, *url, look, outcome.skeleton, outcome.depth);
        }
    }
    hosts_.leave(host);
}

// Where a seed's redirects end is where the user meant to go.
void Crawler::follow_seed(const web::Url& url, const Outcome& outcome) {
    const auto found = seed_of_.find(outcome.url);
    const web::Url seed = found == seed_of_.end() ? url : found->second;
    if (outcome.ending == Ending::redirect) {
        if (!outcome.redirect_target.empty()) seed_of_.emplace(outcome.redirect_target, seed);
        return;
    }
    if (found != seed_of_.end()) seed_of_.erase(found);
    if (outcome.ending != Ending::fetched || scope_.is_in_place(url)) return;
    scope_.move_seed(seed, url);
    moved_seeds_.push_back({seed, url});
}

}  // namespace weft::crawl
