#include <algorithm>
#include <utility>

#include "aio/sync/wait_until.h"
#include "cluster/worker/worker.h"

// How a worker gets URLs from the shards that it owns, and gives shards back.
namespace weft::cluster {

using aio::Co;

namespace {

constexpr Duration kLookEvery = 50ms;
constexpr Duration kDuePauseMin = 250ms;
constexpr Duration kDuePauseMax = 2s;  // For a shard in which nothing waits.
constexpr Duration kNear = 10s;        // Hosts are taken this long before their time.
constexpr std::size_t kHostsAtOnce = 16;
constexpr std::size_t kHostsHeldMax = 20'000;

}  // namespace

void ClusterFrontier::Worker::on_claimed(std::uint16_t shard, const Term& term) {
    ShardState& state = shards_[shard];
    state = ShardState{.work = std::make_shared<TermWork>(TermWork{.shard = shard, .term = term}),
                       .due_at = now(),
                       .due_pause = kDuePauseMin};
    held_.begin(shard, term.number, terms_.lease_of(shard));
    asked_.set();
}

// Once it has begun to leave, the shard is released: Redis believes that its hosts are held here.
void ClusterFrontier::Worker::on_meant(std::uint16_t shard, bool is_meant) {
    if (is_meant || !shards_[shard].work) return;
    shards_[shard].is_leaving = true;
    held_.end(shard);
    release_if_done(shard);
}

void ClusterFrontier::Worker::on_lost(std::uint16_t shard) {
    ShardState& state = shards_[shard];
    if (!state.work) return;
    state.work->is_lost = true;
    held_.end(shard);
    if (group_) group_->create_task(settle_lost(std::exchange(state.work, nullptr)), "lost term");
    state = ShardState{};
    changed_.set();
}

void ClusterFrontier::Worker::release_if_done(std::uint16_t shard) {
    ShardState& state = shards_[shard];
    if (!state.is_leaving || !state.work || !state.work->endings.empty()) return;
    const bool is_queued = std::ranges::find(queue_works_, state.work) != queue_works_.end();
    if (is_queued || held_.lent_count(shard) > 0) return;
    give_up(shard);
}

void ClusterFrontier::Worker::give_up(std::uint16_t shard) {
    const std::optional<Term> term = terms_.let_go(shard);
    if (!term) return;
    held_.end(shard);
    shards_[shard] = ShardState{};
    if (group_) group_->create_task(send_release(shard, *term), "release");
}

Co<> ClusterFrontier::Worker::send_release(std::uint16_t shard, Term term) {
    co_await sender_->send(cluster::release(key(shard), term));  // If it is stale, so be it.
}

// Something new may wait in the shard.
void ClusterFrontier::Worker::wake_shard(std::uint16_t shard) {
    ShardState& state = shards_[shard];
    if (!state.work) return;
    state.due_at = now();
    state.due_pause = kDuePauseMin;
    state.is_hungry = true;
    asked_.set();
}

Co<> ClusterFrontier::Worker::lend_on() {
    for (;;) {
        make_room();
        const bool has_room = held_.host_count() < kHostsHeldMax;
        for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
            ShardState& state = shards_[shard];
            if (!state.work || state.is_leaving || state.is_asking || is_closed_) continue;
            if (state.is_hungry) {
                std::vector<TakeFrom> hosts = held_.hungry(shard, now());
                state.is_hungry = !hosts.empty();
                if (state.is_hungry) {
                    state.is_asking = true;
                    group_->create_task(ask_more(shard, state.work, std::move(hosts)), "take");
                    continue;
                }
            }
            if (!has_room || now() < state.due_at) continue;
            state.is_asking = true;
            group_->create_task(ask_due(shard, state.work), "due");
        }
        asked_.clear();
        co_await aio::wait_until(asked_, now() + kLookEvery);
    }
}

Co<> ClusterFrontier::Worker::ask_due(std::uint16_t shard, std::shared_ptr<TermWork> work) {
    const Result<Due> due = co_await sender_->send(
        cluster::due(key(shard), work->term,
                     {.within = std::chrono::duration_cast<Milliseconds>(kNear),
                      .hosts_max = kHostsAtOnce,
                      .urls_max = held_.window()}));
    ShardState& state = shards_[shard];
    if (state.work != work) co_return;  // It was lost or given up meanwhile.
    state.is_asking = false;
    if (!due) {
        terms_.note_stale(shard, work->term);
        co_return;
    }
    for (const HostEntries& host : due->hosts) held_.take_in(shard, host, now());
    const bool is_full = due->hosts.size() >= kHostsAtOnce;
    state.due_pause =
        due->hosts.empty() ? std::min(2 * state.due_pause, kDuePauseMax) : Duration(kDuePauseMin);
    state.due_at = is_full ? now() : now() + state.due_pause;
    // Every poll also looks at hosts whose last question gave nothing.
    state.is_hungry = true;
    if (is_full) asked_.set();
    if (!due->hosts.empty()) changed_.set();
}

Co<> ClusterFrontier::Worker::ask_more(std::uint16_t shard, std::shared_ptr<TermWork> work,
                                       std::vector<TakeFrom> hosts) {
    const Result<std::vector<HostEntries>> more =
        co_await sender_->send(take(key(shard), work->term, held_.window(), hosts));
    ShardState& state = shards_[shard];
    if (state.work != work) co_return;
    state.is_asking = false;
    if (!more) {
        terms_.note_stale(shard, work->term);
        co_return;
    }
    for (const HostEntries& host : *more) held_.take_in(shard, host, now());
    changed_.set();
}

// Too many hosts are here: those whose time is far wait in Redis.
void ClusterFrontier::Worker::make_room() {
    if (held_.host_count() < kHostsHeldMax) return;
    for (auto& [shard, hosts] : held_.retire(now() + kNear, now())) {
        const std::shared_ptr<TermWork>& work = shards_[shard].work;
        if (!work) continue;
        group_->create_task(send_to_rest(shard, work->term, std::move(hosts)), "rest");
    }
}

Co<> ClusterFrontier::Worker::send_to_rest(std::uint16_t shard, Term term,
                                           std::vector<Resting> hosts) {
    const Result<Ok> rested = co_await sender_->send(rest(key(shard), term, hosts));
    if (!rested) terms_.note_stale(shard, term);
}

}  // namespace weft::cluster
