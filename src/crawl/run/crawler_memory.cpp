#include "crawl/run/crawler.h"

// What a crawler learns from outcomes: its own, and those of earlier runs, which a resumed crawl
// reads from the page log.
namespace weft::crawl {
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
    shared_.add(cost_of(outcome));
}

void Crawler::remember(const Outcome& outcome) {
    statistics_.note(outcome);
    shared_.content().remember(outcome);
    const auto url = web::Url::parse(outcome.url);
    if (!url) return;
    remember_way(outcome);
    HostState& host = hosts_.enter(std::string(url->host()), url->hostname());
    if (!outcome.address.empty()) note_answer(outcome, *url, host);
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

// The user means the place where a seed's redirects end. If that is out of scope, the seed moves.
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
}

}  // namespace weft::crawl
