#include "crawl/scope/seed_ways.h"

namespace weft::crawl {

void SeedWays::follow(const web::Url& url, const Outcome& outcome) {
    const auto found = seed_of_.find(outcome.url);
    const web::Url seed = found == seed_of_.end() ? url : found->second;
    if (outcome.ending == Ending::redirect) {
        if (!outcome.redirect_target.empty()) seed_of_.emplace(outcome.redirect_target, seed);
        return;
    }
    if (found != seed_of_.end()) seed_of_.erase(found);
    if (outcome.ending == Ending::fetched) scope_.move_seed(seed, url);
}

void SeedWays::remember(const Outcome& outcome) {
    if (outcome.via != Via::seed && !seed_of_.contains(outcome.url)) return;
    if (const auto url = web::Url::parse(outcome.url)) follow(*url, outcome);
}

}  // namespace weft::crawl
