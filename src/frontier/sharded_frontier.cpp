#include "frontier/sharded_frontier.h"

#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "aio/errors.h"
#include "aio/mailbox.h"
#include "aio/queue.h"
#include "aio/task_group.h"
#include "base/assert.h"

namespace weft::frontier {

using aio::Co;

namespace {

// URLs that lie on a desk: enough that a shard never waits for the next, few enough that one
// which is behind holds up no other before that.
constexpr std::size_t kDeskCount = 4'096;
constexpr std::size_t kMailCount = 65'536;

// What is asked of the frontier: a host's counts by its name.
using Wish = std::variant<Completion, HostChange, std::string>;

struct Answer {
    std::size_t new_count = 0;
    HostCounts counts;
};

// A wish on its way home, and whoever waits for its answer.
class Errand {
public:
    explicit Errand(Wish wish) : wish_(std::move(wish)) {}

    // On the shard's loop. Cancelled, the wish is granted all the same.
    Co<Answer> answer() {
        const Stay stay(*this);
        co_await awaited_->wait();
        if (error_) std::rethrow_exception(error_);
        co_return answer_;
    }

    // On the home loop.
    Wish take() { return std::move(wish_); }
    void finish(const Answer& answer, std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        answer_ = answer;
        error_ = std::move(error);
        if (signal_) aio::LoopSignal::give(std::exchange(signal_, nullptr));
    }

private:
    // The signal is there as long as somebody waits; the last of it is let go on their thread.
    struct Stay {
        explicit Stay(Errand& owner) : errand(owner) {}
        ~Stay() {
            const std::lock_guard lock(errand.mutex_);
            errand.signal_.reset();
            errand.awaited_.reset();
        }
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;
        Errand& errand;
    };

    Wish wish_;
    std::shared_ptr<aio::LoopSignal> awaited_ = std::make_shared<aio::LoopSignal>();
    std::shared_ptr<aio::LoopSignal> signal_ = awaited_;  // The home loop's, under the lock.
    std::mutex mutex_;
    Answer answer_;
    std::exception_ptr error_;
};

Co<Answer> grant(Frontier& whole, Wish wish) {
    Answer answer;
    if (auto* completion = std::get_if<Completion>(&wish)) {
        answer.new_count = co_await whole.complete(std::move(*completion));
    } else if (auto* change = std::get_if<HostChange>(&wish)) {
        co_await whole.change_host(std::move(*change));
    } else {
        answer.counts = co_await whole.host_counts(std::get<std::string>(std::move(wish)));
    }
    co_return answer;
}

Co<> make(Frontier& whole, std::shared_ptr<Errand> errand) {
    Answer answer;
    std::exception_ptr error;
    try {
        answer = co_await grant(whole, errand->take());
    } catch (const Error&) {
        error = std::current_exception();  // The shard's to throw.
    }
    errand->finish(answer, std::move(error));
}

}  // namespace

// What the desks share.
struct ShardedFrontier::Office {
    Frontier& whole;
    ShardOf shard_of;
    aio::Queue<Visit> home_visits{kDeskCount};
    std::vector<std::unique_ptr<aio::Mailbox<Visit>>> visits;  // By shard; none for the first.
    aio::Mailbox<std::shared_ptr<Errand>> mail{kMailCount};

    mutable std::mutex mutex;
    Counts counts;  // For shards that cannot ask.

    void note_counts() {
        const std::lock_guard lock(mutex);
        counts = whole.counts();
    }
    Co<> give(Visit visit) {
        const std::size_t shard = shard_of(visit.candidate);
        WEFT_ASSERT(shard < visits.size());
        if (shard == 0) {
            co_await home_visits.put(std::move(visit));
        } else {
            std::vector<Visit> batch;
            batch.push_back(std::move(visit));
            co_await visits[shard]->send(std::move(batch));
        }
    }
    void close_desks() {
        home_visits.shutdown();
        for (const auto& box : visits) {
            if (box) box->close();
        }
    }
};

class ShardedFrontier::HomeDesk final : public Frontier {
public:
    explicit HomeDesk(Office& office) : office_(office) {}

    [[clang::coro_wrapper]] Co<std::size_t> push(std::vector<Candidate> candidates) override {
        return office_.whole.push(std::move(candidates));
    }
    Co<std::optional<Visit>> next() override {
        try {
            co_return co_await office_.home_visits.get();
        } catch (const aio::QueueShutDown&) {
            co_return std::nullopt;
        }
    }
    [[clang::coro_wrapper]] Co<std::size_t> complete(Completion completion) override {
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
    }
    Counts counts() const override { return office_.whole.counts(); }

private:
    Office& office_;
};

class ShardedFrontier::MailDesk final : public Frontier {
public:
    MailDesk(Office& office, std::size_t shard) : office_(office), shard_(shard) {}

    Co<std::size_t> push(std::vector<Candidate>) override { co_return 0; }
    Co<std::optional<Visit>> next() override {
        if (at_ == batch_.size()) {
            batch_ = co_await office_.visits[shard_]->receive();
            at_ = 0;
        }
        if (is_closed_ || batch_.empty()) co_return std::nullopt;
        co_return std::move(batch_[at_++]);
    }
    Co<std::size_t> complete(Completion completion) override {
        const Answer answer = co_await ask(std::move(completion));
        co_return answer.new_count;
    }
    Co<HostCounts> host_counts(std::string host) override {
        const Answer answer = co_await ask(std::move(host));
        co_return answer.counts;
    }
    Co<> change_host(HostChange change) override { co_await ask(std::move(change)); }
    void close() override {
        is_closed_ = true;
        office_.visits[shard_]->close();
    }
    Counts counts() const override {
        const std::lock_guard lock(office_.mutex);
        return office_.counts;
    }

private:
    Co<Answer> ask(Wish wish) {
        const auto errand = std::make_shared<Errand>(std::move(wish));
        std::vector<std::shared_ptr<Errand>> letter{errand};
        co_await office_.mail.send(std::move(letter));
        co_return co_await errand->answer();
    }

    Office& office_;
    std::size_t shard_;
    std::vector<Visit> batch_;
    std::size_t at_ = 0;
    bool is_closed_ = false;
};

ShardedFrontier::ShardedFrontier(Frontier& whole, std::size_t shard_count, ShardOf shard_of)
    : office_(std::make_unique<Office>(whole, std::move(shard_of))) {
    WEFT_ASSERT(shard_count > 0);
    desks_.push_back(std::make_unique<HomeDesk>(*office_));
    office_->visits.push_back(nullptr);
    for (std::size_t i = 1; i < shard_count; ++i) {
        desks_.push_back(std::make_unique<MailDesk>(*office_, i));
        office_->visits.push_back(std::make_unique<aio::Mailbox<Visit>>(kDeskCount));
    }
}

ShardedFrontier::~ShardedFrontier() = default;

Frontier& ShardedFrontier::desk(std::size_t shard) {
    return *desks_.at(shard);
}

Co<> ShardedFrontier::lend() {
    try {
        for (;;) {
            std::optional<Visit> visit = co_await office_->whole.next();
            office_->note_counts();
            if (!visit) break;
            co_await office_->give(*std::move(visit));
        }
    } catch (const aio::QueueShutDown&) {
        // A desk was closed: the crawl is being stopped. What it was to get waits again.
    } catch (const Error&) {
        office_->close_desks();
        throw;
    }
    office_->close_desks();
}

Co<> ShardedFrontier::serve() {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(lend(), "frontier lending");
        for (;;) {
            std::vector<std::shared_ptr<Errand>> letters = co_await office_->mail.receive();
            for (std::shared_ptr<Errand>& errand : letters) {
                group.create_task(make(office_->whole, std::move(errand)), "frontier completion");
            }
        }
    });
}

}  // namespace weft::frontier
