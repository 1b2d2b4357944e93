#include "frontier/shards/sharded_frontier.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "aio/sync/event.h"
#include "aio/sync/mailbox.h"
#include "aio/sync/queue.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "base/assert.h"
#include "frontier/bench/request_port.h"

namespace weft::frontier {

using aio::Co;

namespace {

// How many lent URLs a desk can hold. A shard must never wait for the next one. And a slow shard
// must not fill its desk soon, because lending to all shards stops while one desk is full.
constexpr std::size_t kDeskCount = 4'096;
constexpr std::size_t kOnTheWayCount = 256;
constexpr std::size_t kMailCount = 65'536;

// Carries out a shard's request on the home loop.
Co<Answer> grant(Frontier& whole, ShardRequest request) {
    Answer answer;
    if (auto* completion = std::get_if<Completion>(&request)) {
        const Completed completed = co_await whole.complete(std::move(*completion));
        answer.new_count = completed.new_count;
        answer.is_kept = completed.is_kept;
    } else if (auto* candidates = std::get_if<std::vector<Candidate>>(&request)) {
        answer.new_count = co_await whole.push(std::move(*candidates));
    } else if (auto* change = std::get_if<HostChange>(&request)) {
        co_await whole.change_host(std::move(*change));
    } else {
        answer.host = co_await whole.host_counts(std::get<std::string>(std::move(request)));
    }
    co_return answer;
}

Co<> make(Frontier& whole, std::shared_ptr<PendingRequest> pending) {
    Answer answer;
    std::exception_ptr error;
    try {
        answer = co_await grant(whole, pending->take());
    } catch (const Error&) {
        error = std::current_exception();  // RequestPort::ask() throws it in the shard.
    }
    PendingRequest::finish(std::move(pending), answer, std::move(error));
}

}  // namespace

// The connection between the home loop and one other shard.
struct ShardedFrontier::ShardLink {
    explicit ShardLink(RequestMail& home) : port(home) {}

    aio::Queue<Visit> lent{kOnTheWayCount};  // Used on the home loop only.
    aio::Mailbox<Visit> visits{kDeskCount};
    RequestPort port;

    // Runs on the home loop. Visits that were lent in one iteration of the loop travel together.
    Co<> carry_visits() {
        try {
            for (;;) {
                std::vector<Visit> batch;
                batch.push_back(co_await lent.get());
                while (!lent.empty()) batch.push_back(lent.get_nowait());
                co_await visits.send(std::move(batch));
            }
        } catch (const aio::QueueShutDown&) {
            lent.shutdown(true);
            visits.close();
        }
    }
};

// What all desks share.
struct ShardedFrontier::Office {
    Frontier& whole;
    ShardOf shard_of;
    RequestMail mail{kMailCount};
    aio::Event is_asked;  // Set by desk 0's first next(): by then the seeds were pushed.
    aio::Queue<Visit> home_visits{kDeskCount};
    std::vector<std::unique_ptr<ShardLink>> ways;  // By shard; null for shard 0.

    // Protects `counts`.
    mutable std::mutex mutex;
    Counts counts;  // A copy for shards, which cannot ask the frontier.

    void note_counts() {
        const std::lock_guard lock(mutex);
        counts = whole.counts();
    }
    aio::Queue<Visit>& desk_of(const Visit& visit) {
        const std::size_t shard = shard_of(visit.candidate);
        WEFT_ASSERT(shard < ways.size());
        return shard == 0 ? home_visits : ways[shard]->lent;
    }
    void close_desks() {
        home_visits.shutdown();
        for (const auto& way : ways) {
            if (way) way->lent.shutdown();
        }
    }
};

// Desk 0: on the home loop, so everything but next() goes directly to the frontier.
class ShardedFrontier::HomeDesk final : public Frontier {
public:
    explicit HomeDesk(Office& office) : office_(office) {}

    [[clang::coro_wrapper]] Co<std::size_t> push(std::vector<Candidate> candidates) override {
        return office_.whole.push(std::move(candidates));
    }
    Co<std::optional<Visit>> next() override {
        office_.is_asked.set();
        try {
            co_return co_await office_.home_visits.get();
        } catch (const aio::QueueShutDown&) {
            co_return std::nullopt;
        }
    }
    [[clang::coro_wrapper]] Co<Completed> complete(Completion completion) override {
        return office_.whole.complete(std::move(completion));
    }
    [[clang::coro_wrapper]] Co<HostCounts> host_counts(std::string host) override {
        return office_.whole.host_counts(std::move(host));
    }
    [[clang::coro_wrapper]] Co<> change_host(HostChange change) override {
        return office_.whole.change_host(std::move(change));
    }
    void close() override {
        office_.whole.close();
        office_.home_visits.shutdown(true);
        office_.is_asked.set();
    }
    Counts counts() const override { return office_.whole.counts(); }

private:
    Office& office_;
};

// The desk of another shard, on that shard's loop. Every request but next() goes to the home loop
// as an pending.
class ShardedFrontier::MailDesk final : public Frontier {
public:
    MailDesk(Office& office, ShardLink& way) : office_(office), link_(way) {}

    Co<std::size_t> push(std::vector<Candidate> candidates) override {
        // Every shard has the list of seeds, and desk 0 has pushed them.
        const bool are_seeds = std::ranges::all_of(
            candidates, [](const Candidate& each) { return each.referrer.empty(); });
        if (are_seeds) co_return 0;
        const Answer answer = co_await link_.port.ask(std::move(candidates));
        co_return answer.new_count;
    }
    Co<std::optional<Visit>> next() override {
        if (at_ == batch_.size()) {
            batch_ = co_await link_.visits.receive();
            at_ = 0;
        }
        if (is_closed_ || batch_.empty()) co_return std::nullopt;
        co_return std::move(batch_[at_++]);
    }
    Co<Completed> complete(Completion completion) override {
        const Answer answer = co_await link_.port.ask(std::move(completion));
        co_return Completed{.new_count = answer.new_count, .is_kept = answer.is_kept};
    }
    Co<HostCounts> host_counts(std::string host) override {
        const Answer answer = co_await link_.port.ask(std::move(host));
        co_return answer.host;
    }
    Co<> change_host(HostChange change) override { co_await link_.port.ask(std::move(change)); }
    void close() override {
        is_closed_ = true;
        link_.visits.close();
    }
    Counts counts() const override {
        const std::lock_guard lock(office_.mutex);
        return office_.counts;
    }

private:
    Office& office_;
    ShardLink& link_;
    std::vector<Visit> batch_;
    std::size_t at_ = 0;
    bool is_closed_ = false;
};

ShardedFrontier::ShardedFrontier(Frontier& whole, std::size_t shard_count, ShardOf shard_of)
    : office_(std::make_unique<Office>(whole, std::move(shard_of))) {
    WEFT_ASSERT(shard_count > 0);
    desks_.push_back(std::make_unique<HomeDesk>(*office_));
    office_->ways.push_back(nullptr);
    for (std::size_t i = 1; i < shard_count; ++i) {
        office_->ways.push_back(std::make_unique<ShardLink>(office_->mail));
        desks_.push_back(std::make_unique<MailDesk>(*office_, *office_->ways.back()));
    }
}

ShardedFrontier::~ShardedFrontier() = default;

Frontier& ShardedFrontier::desk(std::size_t shard) {
    return *desks_.at(shard);
}

Co<> ShardedFrontier::lend() {
    try {
        co_await office_->is_asked.wait();
        for (;;) {
            std::optional<Visit> visit = co_await office_->whole.next();
            office_->note_counts();
            if (!visit) break;
            aio::Queue<Visit>& desk = office_->desk_of(*visit);
            co_await desk.put(*std::move(visit));
        }
    } catch (const aio::QueueShutDown&) {
        // A desk was closed because the crawl is being stopped. The visit in hand was not
        // committed, so its URL waits again in the next run.
    } catch (const Error&) {
        office_->close_desks();
        throw;
    }
    office_->close_desks();
}

Co<> ShardedFrontier::serve() {
    aio::current_task()->go_first();  // Other shards wait for it.
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(lend(), "frontier lending");
        for (const auto& way : office_->ways) {
            if (!way) continue;
            group.create_task(way->carry_visits(), "visits");
            group.create_task(way->port.carry_answers(), "answers");
        }
        for (;;) {
            std::vector<std::shared_ptr<PendingRequest>> letters = co_await office_->mail.receive();
            // One task each, so that all requests of a letter can go into the same commit.
            for (std::shared_ptr<PendingRequest>& pending : letters) {
                group.create_task(make(office_->whole, std::move(pending)), "frontier completion");
            }
        }
    });
}

}  // namespace weft::frontier
