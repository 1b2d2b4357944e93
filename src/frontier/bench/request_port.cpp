#include "frontier/bench/request_port.h"

namespace weft::frontier {

using aio::Co;

void PendingRequest::finish(std::shared_ptr<PendingRequest> pending, const Answer& answer,
                            std::exception_ptr error) {
    pending->answer_ = answer;
    pending->error_ = std::move(error);
    RequestPort& line = pending->line_;
    // carry_answers() sends it, together with all other answers that are there by then.
    line.answered_.push_back(std::move(pending));
    line.has_answered_.set();
}

// While this object lives, a task of the shard waits for the pending's answer.
class RequestPort::Wait {
public:
    Wait(RequestPort& line, PendingRequest& pending) : line_(line), pending_(pending) {
        pending_.awaited_ = aio::create_future();
        // give() may post to this loop from now on.
        const std::lock_guard lock(line_.mutex_);
        line_.loop_ = &aio::EventLoop::running();
        ++line_.waiting_count_;
    }
    ~Wait() {
        // An answer that arrives after a cancellation finds no future, and is dropped.
        pending_.awaited_.reset();
        const std::lock_guard lock(line_.mutex_);
        --line_.waiting_count_;
    }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

private:
    RequestPort& line_;
    PendingRequest& pending_;
};

Co<Answer> RequestPort::ask(ShardRequest request) {
    const auto pending = std::make_shared<PendingRequest>(*this, std::move(request));
    const Wait wait(*this, *pending);
    std::vector<std::shared_ptr<PendingRequest>> letter{pending};
    co_await home_.send(std::move(letter));
    co_await *pending->awaited_;
    if (pending->error_) std::rethrow_exception(pending->error_);
    co_return pending->answer_;
}

Co<> RequestPort::carry_answers() {
    for (;;) {
        co_await has_answered_.wait();
        has_answered_.clear();
        give(std::exchange(answered_, {}));
    }
}

// Without a waiting task the shard's loop may be gone, so the answers are dropped. The lock is held
// until the post is done: a Wait cannot end in between, so the loop is alive.
void RequestPort::give(Batch batch) {
    const std::lock_guard lock(mutex_);
    if (waiting_count_ == 0) return;
    loop_->call_soon_threadsafe([answers = std::move(batch)] {
        for (const std::shared_ptr<PendingRequest>& pending : answers) {
            if (pending->awaited_ && !pending->awaited_->done()) pending->awaited_->set_result();
        }
    });
}

}  // namespace weft::frontier
