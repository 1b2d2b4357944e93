#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "aio/task/task_group.h"
#include "base/clock.h"
#include "cluster/calls.h"
#include "cluster/limits.h"
#include "cluster/shard.h"
#include "frontier/frontier.h"
#include "redis/cluster.h"

namespace weft::cluster {

struct TermsOptions {
    std::string worker;  // Made with the worker's folder; no '/' in it.
    std::string run;     // Differs between two processes of one worker.

    Duration lease = kLease;
    Duration margin = kLeaseMargin;
    Duration renew_every = kRenewEvery;
    Duration beat_every = kBeatEvery;
    Duration heard_within = kHeardWithin;
    Duration look_every = 250ms;   // For terms to be claimed or renewed.
    Duration claim_again_in = 1s;  // A shard that another worker owns may be released early.
};

// Hears what becomes of the shards of a worker, on the loop's thread.
class TermListener {
public:
    virtual ~TermListener() = default;

    // The shard belongs to this worker from now on.
    virtual void on_claimed(std::uint16_t shard, const Term& term) = 0;

    // False: another worker should own the shard. Lend no more URLs of it, let its visits end, then
    // call Terms::release(). True: keep it after all.
    virtual void on_meant(std::uint16_t shard, bool is_meant) = 0;

    // The term has ended without this worker: what is under way there will not count.
    virtual void on_lost(std::uint16_t shard) = 0;
};

// Which shards this worker owns, and until when.
//
// All workers that were heard lately are known to each other (`beat`), and rendezvous hashing says
// who should own a shard: when a worker comes or goes, only its share moves. Only the one who
// should own a shard claims it, once it is released or its term has ended.
//
// Three rules keep two workers from fetching from one host at once:
// 1. may_fetch() is asked just before every fetch. It goes by this machine's clock, counted from
//    before the claim or renewal was sent, so a worker that was asleep knows that it is late.
// 2. A claim or a renewal counts only when replicas confirm it (redis::ClusterOptions::copies): a
//    master that was paused acknowledges what is lost.
// 3. frontier.lua asks for all keys before it writes, so a slot that moves loses nothing.
//
// Calls to one master never wait for another master: if one is down, the terms of the others go on.
// On one loop's thread. `cluster` and `listener` must outlive it.
class Terms {
public:
    Terms(redis::Cluster& cluster, CrawlKeys keys, TermsOptions options, TermListener& listener);

    // The worker's name, if it is known only now. REQUIRES: run() was not called.
    void set_name(std::string worker, std::string run) {
        options_.worker = std::move(worker);
        options_.run = std::move(run);
    }

    // Beats, claims and renews until it is cancelled. Throws as redis::Cluster does.
    aio::Co<> run();

    // Whether a fetch from a host of this shard may start now.
    bool may_fetch(std::uint16_t shard) const;

    // The term in which this worker owns the shard; null if it does not.
    const Term* term_of(std::uint16_t shard) const;

    // The same as may_fetch() for any thread, for the current term. Null if it is not owned.
    std::shared_ptr<const frontier::Lease> lease_of(std::uint16_t shard) const {
        return holdings_[shard].lease;
    }

    std::size_t owned_count() const { return owned_count_; }

    // Gives a shard back. No effect if it is not owned.
    aio::Co<> release(std::uint16_t shard);

    // The first half of release(): the shard is no longer ours here. The caller sends the term's
    // `release`. Nothing if the shard is not owned.
    std::optional<Term> let_go(std::uint16_t shard);

    // Tells the others that this worker goes: from now on it is meant to own nothing, and the
    // listener hears so of each shard. run() goes on renewing until all are released.
    aio::Co<> leave();

    // A call with this term was refused as stale.
    void note_stale(std::uint16_t shard, const Term& term);

    // What the next beat says about this worker.
    void set_text(std::string text) { text_ = std::move(text); }

    // What the last beat heard, this worker included.
    const std::vector<Heard>& workers() const { return workers_; }

private:
    struct Holding {
        std::optional<Term> term = {};
        std::shared_ptr<frontier::Lease> lease = {};  // Of this term.
        TimePoint renew_at{};
        TimePoint claim_at{};
        bool is_meant = false;
        bool is_busy = false;  // A call about its term is under way.
    };

    std::string owner() const { return options_.worker + "/" + options_.run; }
    aio::Co<> beat_on();
    void note_workers(std::vector<Heard> workers);
    void set_meant(std::uint16_t shard, bool is_meant);
    void start_calls(aio::TaskGroup& group);
    aio::Co<> claim_all(std::vector<std::uint16_t> shards);
    aio::Co<> renew_all(std::vector<std::uint16_t> shards);
    void hold(std::uint16_t shard, std::uint64_t number, TimePoint sent_at);
    void extend(Holding& holding, TimePoint sent_at);
    void lose(std::uint16_t shard);

    redis::Cluster& cluster_;
    const CrawlKeys keys_;
    TermsOptions options_;
    TermListener& listener_;
    std::array<Holding, kShardCount> holdings_;
    std::size_t owned_count_ = 0;
    std::vector<Heard> workers_;
    std::vector<std::string> living_;  // Sorted.
    std::string text_;
    bool is_leaving_ = false;
};

// Which of the workers should own the shard. REQUIRES: !workers.empty()
const std::string& meant_owner(const std::vector<std::string>& workers, std::uint16_t shard);

}  // namespace weft::cluster
