#include "frontier/bench/errand.h"

namespace weft::frontier {

using aio::Co;

void Errand::finish(std::shared_ptr<Errand> errand, const Reply& answer, std::exception_ptr error) {
    errand->answer_ = answer;
    errand->error_ = std::move(error);
    ErrandLine& line = errand->line_;
    // carry_answers() sends it, together with all other replies that are there by then.
    line.answered_.push_back(std::move(errand));
    line.has_answered_.set();
}

// While this object lives, a task of the shard waits for the errand's reply.
class ErrandLine::Wait {
public:
    Wait(ErrandLine& line, Errand& errand) : line_(line), errand_(errand) {
        errand_.awaited_ = aio::create_future();
        // give() may post to this loop from now on.
        const std::lock_guard lock(line_.mutex_);
        line_.loop_ = &aio::EventLoop::running();
        ++line_.waiting_count_;
    }
    ~Wait() {
        // A reply that arrives after a cancellation finds no future, and is dropped.
        errand_.awaited_.reset();
        const std::lock_guard lock(line_.mutex_);
        --line_.waiting_count_;
    }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

private:
    ErrandLine& line_;
    Errand& errand_;
};

Co<Reply> ErrandLine::ask(Wish wish) {
    const auto errand = std::make_shared<Errand>(*this, std::move(wish));
    const Wait wait(*this, *errand);
    std::vector<std::shared_ptr<Errand>> letter{errand};
    co_await home_.send(std::move(letter));
    co_await *errand->awaited_;
    if (errand->error_) std::rethrow_exception(errand->error_);
    co_return errand->answer_;
}

Co<> ErrandLine::carry_answers() {
    for (;;) {
        co_await has_answered_.wait();
        has_answered_.clear();
        give(std::exchange(answered_, {}));
    }
}

// Without a waiting task the shard's loop may be gone, so the replies are dropped. The lock is held
// until the post is done: a Wait cannot end in between, so the loop is alive.
void ErrandLine::give(Batch batch) {
    const std::lock_guard lock(mutex_);
    if (waiting_count_ == 0) return;
    loop_->call_soon_threadsafe([answers = std::move(batch)] {
        for (const std::shared_ptr<Errand>& errand : answers) {
            if (errand->awaited_ && !errand->awaited_->done()) errand->awaited_->set_result();
        }
    });
}

}  // namespace weft::frontier
