#include "cluster/terms.h"

#include <algorithm>
#include <map>
#include <utility>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"
#include "base/hash.h"

namespace weft::cluster {

using aio::Co;

namespace {

TimePoint time_now() {
    return aio::EventLoop::running().time();
}

Milliseconds in_milliseconds(Duration length) {
    return std::chrono::duration_cast<Milliseconds>(length);
}

}  // namespace

const std::string& meant_owner(const std::vector<std::string>& workers, std::uint16_t shard) {
    return *std::ranges::max_element(
        workers, {}, [shard](const std::string& worker) { return hash64(worker, shard); });
}

Terms::Terms(redis::Cluster& cluster, CrawlKeys keys, TermsOptions options, TermListener& listener)
    : cluster_(cluster),
      keys_(std::move(keys)),
      options_(std::move(options)),
      listener_(listener) {}

Co<> Terms::run() {
    if (!cluster_.slots()) co_await cluster_.connect();
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        group.create_task(beat_on(), "beat");
        while (true) {
            start_calls(group);
            co_await aio::sleep(options_.look_every);
        }
    });
}

Co<> Terms::beat_on() {
    while (!is_leaving_) {
        const std::string key = keys_.workers();
        Result<std::vector<Heard>> heard =
            co_await send(cluster_, beat(key, options_.worker, text_));
        if (heard && !is_leaving_) note_workers(*std::move(heard));
        co_await aio::sleep(options_.beat_every);
    }
}

void Terms::note_workers(std::vector<Heard> workers) {
    workers_ = std::move(workers);
    std::vector<std::string> living;
    for (const Heard& heard : workers_) {
        if (heard.age <= options_.heard_within) living.push_back(heard.worker);
    }
    std::ranges::sort(living);
    if (living.empty() || living == living_) return;
    living_ = std::move(living);
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
        set_meant(shard, meant_owner(living_, shard) == options_.worker);
    }
}

void Terms::set_meant(std::uint16_t shard, bool is_meant) {
    Holding& holding = holdings_[shard];
    if (std::exchange(holding.is_meant, is_meant) == is_meant) return;
    holding.claim_at = time_now();
    if (holding.term) listener_.on_meant(shard, is_meant);
}

// One task for each master and kind of call, so that none waits for another.
void Terms::start_calls(aio::TaskGroup& group) {
    const TimePoint now = time_now();
    std::map<redis::Node, std::vector<std::uint16_t>> claims;
    std::map<redis::Node, std::vector<std::uint16_t>> renewals;
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
        Holding& holding = holdings_[shard];
        const bool is_due =
            holding.term ? now >= holding.renew_at : holding.is_meant && now >= holding.claim_at;
        if (holding.is_busy || !is_due) continue;
        holding.is_busy = true;
        const std::uint16_t slot = redis::slot_of(tag_of(shard));
        const redis::Node* master = cluster_.slots()->master_of(slot);
        (holding.term ? renewals : claims)[master ? *master : redis::Node()].push_back(shard);
    }
    for (auto& [node, shards] : claims) group.create_task(claim_all(std::move(shards)), "claim");
    for (auto& [node, shards] : renewals) group.create_task(renew_all(std::move(shards)), "renew");
}

Co<> Terms::claim_all(std::vector<std::uint16_t> shards) {
    const TimePoint sent_at = time_now();
    std::vector<Request<Claimed>> requests;
    for (const std::uint16_t shard : shards) {
        requests.push_back(claim(keys_.shard(shard), owner(), in_milliseconds(options_.lease)));
    }
    const std::vector<Result<Claimed>> results = co_await send_all(cluster_, std::move(requests));
    for (std::size_t i = 0; i < shards.size(); ++i) {
        Holding& holding = holdings_[shards[i]];
        holding.is_busy = false;
        if (results[i] && results[i]->number) {
            hold(shards[i], *results[i]->number, sent_at);
            continue;
        }
        const Duration left = results[i] ? Duration(results[i]->left) : options_.claim_again_in;
        holding.claim_at = saturating_add(time_now(), std::min(left, options_.claim_again_in));
    }
}

Co<> Terms::renew_all(std::vector<std::uint16_t> shards) {
    const TimePoint sent_at = time_now();
    std::vector<Request<Ok>> requests;
    std::erase_if(shards, [this](std::uint16_t shard) {
        // It was released or lost before this task ran.
        if (!holdings_[shard].term) holdings_[shard].is_busy = false;
        return !holdings_[shard].term;
    });
    for (const std::uint16_t shard : shards) {
        requests.push_back(
            renew(keys_.shard(shard), *holdings_[shard].term, in_milliseconds(options_.lease)));
    }
    const std::vector<Result<Ok>> results = co_await send_all(cluster_, std::move(requests));
    for (std::size_t i = 0; i < shards.size(); ++i) {
        Holding& holding = holdings_[shards[i]];
        holding.is_busy = false;
        if (!results[i]) {
            lose(shards[i]);
        } else if (holding.term) {
            extend(holding, sent_at);
        }
    }
}

void Terms::hold(std::uint16_t shard, std::uint64_t number, TimePoint sent_at) {
    Holding& holding = holdings_[shard];
    holding.term = Term{.owner = owner(), .number = number};
    holding.lease = std::make_shared<frontier::Lease>();
    ++owned_count_;
    extend(holding, sent_at);
    listener_.on_claimed(shard, *holding.term);
    if (!holding.is_meant) listener_.on_meant(shard, false);  // Decided while the claim was sent.
}

// Counts from before the call was sent: the server began to count later, so our end comes first.
void Terms::extend(Holding& holding, TimePoint sent_at) {
    holding.lease->set_end(saturating_add(sent_at, options_.lease - options_.margin));
    holding.renew_at = saturating_add(sent_at, options_.renew_every);
}

void Terms::lose(std::uint16_t shard) {
    if (let_go(shard)) listener_.on_lost(shard);
}

// From here on the shard is not ours, whether the server hears of it now or when the term ends.
std::optional<Term> Terms::let_go(std::uint16_t shard) {
    Holding& holding = holdings_[shard];
    if (!holding.term) return std::nullopt;
    holding.lease->set_end(TimePoint::min());  // Visits of this term may still look at it.
    holding.lease.reset();
    holding.claim_at = saturating_add(time_now(), options_.claim_again_in);
    --owned_count_;
    return std::exchange(holding.term, std::nullopt);
}

bool Terms::may_fetch(std::uint16_t shard) const {
    const Holding& holding = holdings_[shard];
    return holding.lease && holding.lease->holds(time_now());
}

const Term* Terms::term_of(std::uint16_t shard) const {
    const Holding& holding = holdings_[shard];
    return holding.term ? &*holding.term : nullptr;
}

Co<> Terms::release(std::uint16_t shard) {
    const std::optional<Term> term = let_go(shard);
    if (term) co_await send(cluster_, cluster::release(keys_.shard(shard), *term));
}

Co<> Terms::leave() {
    is_leaving_ = true;
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) set_meant(shard, false);
    co_await send(cluster_, cluster::leave(keys_.workers(), options_.worker));
}

void Terms::note_stale(std::uint16_t shard, const Term& term) {
    if (holdings_[shard].term == term) lose(shard);
}

}  // namespace weft::cluster
