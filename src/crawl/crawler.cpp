#include "crawl/crawler.h"

#include <algorithm>

#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/task_group.h"
#include "http/failure.h"
#include "web/canonical.h"

namespace weft::crawl {

using aio::Co;

namespace {

frontier::Candidate make_candidate(const web::Url& url) {
    frontier::Candidate candidate;
    candidate.url = url.href();
    candidate.key = web::canonical_key(url);
    candidate.host = url.host();
    return candidate;
}

}  // namespace

Crawler::Crawler(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
                 OutcomeHandler on_outcome)
    : config_(config),
      frontier_(frontier),
      on_outcome_(std::move(on_outcome)),
      scope_(config),
      politeness_(config.wait),
      visitor_(config, writer) {}

Co<> Crawler::run() {
    statistics_.started = aio::EventLoop::running().time();
    co_await push_seeds();
    aio::Semaphore places(config_.concurrency);
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            aio::Semaphore::Permit permit = co_await places.acquire();
            std::optional<frontier::Visit> visit = co_await frontier_.next();
            if (!visit) co_return;
            group.create_task(work(*std::move(visit), std::move(permit)), "visit");
        }
    });
}

void Crawler::stop() {
    stopped_ = true;
    frontier_.close();
}

Co<> Crawler::push_seeds() {
    std::vector<frontier::Candidate> seeds;
    for (const web::Url& seed : config_.seeds) {
        frontier::Candidate candidate = make_candidate(seed.without_fragment());
        candidate.redirects_left = config_.redirect_count_max;
        seeds.push_back(std::move(candidate));
    }
    co_await frontier_.push(std::move(seeds));
}

Co<> Crawler::work(frontier::Visit visit, aio::Semaphore::Permit permit) {
    static_cast<void>(permit);  // Held until the visit is over.
    aio::EventLoop& loop = aio::EventLoop::running();
    VisitResult result = co_await visit_safely(visit);
    Outcome& outcome = result.outcome;

    frontier::Completion completion{.visit_id = visit.id, .retry_at = {}, .found = {}};
    Duration pause = politeness_.pause(outcome.elapsed, result.crawl_delay);
    if (result.retry_after) pause = std::max(pause, *result.retry_after);
    completion.host_ready_at = loop.time() + pause;
    if (result.may_pass && visit.attempt < config_.try_count_max && !stopped_) {
        const Duration later = retry_pause(visit.attempt, loop.random().unit());
        completion.retry_at = loop.time() + std::max(pause, later);
        ++statistics_.retry_count;
        co_await frontier_.complete(std::move(completion));
        co_return;
    }
    completion.found = admit(visit, result);
    outcome.link_count = completion.found.size();
    outcome.new_link_count = co_await frontier_.complete(std::move(completion));
    statistics_.note(outcome);
    on_outcome_(outcome);
    if (config_.page_count_max && statistics_.outcome_count >= *config_.page_count_max) stop();
}

// The one place where failures end. A cancellation is none: it ends the worker; nor is an archive
// that cannot be written: it ends the crawl.
Co<VisitResult> Crawler::visit_safely(frontier::Visit visit) {
    VisitResult result;
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    Outcome& outcome = result.outcome;
    outcome.date = loop.wall_time();
    try {
        co_return co_await visitor_.visit(visit);
    } catch (const RobotsDenied& error) {
        outcome.ending = Ending::denied;
        outcome.reason = error.what();
    } catch (const RobotsUnavailable& error) {
        outcome.failure = "robots_unavailable";
        outcome.reason = error.what();
        result.may_pass = true;
    } catch (const http::FetchError& error) {
        outcome.failure = http::name(error.failure());
        outcome.reason = error.what();
        result.may_pass = http::is_transient(error.failure());
    } catch (const aio::IoError&) {
        throw;  // The archive cannot be written: no page after this one would be kept.
    } catch (const Error& error) {
        outcome.failure = "internal";
        outcome.reason = error.what();
    }
    outcome.url = visit.candidate.url;
    outcome.referrer = visit.candidate.referrer;
    outcome.depth = visit.candidate.depth;
    outcome.attempt_count = visit.attempt;
    outcome.elapsed = loop.time() - start;
    co_return result;
}

std::vector<frontier::Candidate> Crawler::admit(const frontier::Visit& visit,
                                                const VisitResult& result) {
    const bool is_redirect = result.outcome.ending == Ending::redirect;
    const std::uint32_t depth = visit.candidate.depth + (is_redirect ? 0 : 1);
    std::vector<frontier::Candidate> wanted;
    for (const web::Url& url : result.links) {
        if (const std::optional<Refusal> refusal = scope_.refuses(url, depth)) {
            ++statistics_.refused[*refusal];
            continue;
        }
        links_.add(url.href(), visit.candidate.url);
        frontier::Candidate candidate = make_candidate(url);
        candidate.referrer = visit.candidate.url;
        candidate.depth = depth;
        candidate.redirects_left =
            is_redirect ? visit.candidate.redirects_left - 1 : config_.redirect_count_max;
        wanted.push_back(std::move(candidate));
    }
    return wanted;
}

}  // namespace weft::crawl
