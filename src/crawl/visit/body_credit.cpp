#include "crawl/visit/body_credit.h"

#include <algorithm>

#include "aio/loop/loop.h"
#include "aio/sync/wait_until.h"

namespace weft::crawl {
namespace {

constexpr Duration kLookAgain = 20ms;  // The process sends no signal when it holds less.

}  // namespace

aio::Co<BodyCredit::Loan> BodyCredit::borrow(std::size_t bytes) {
    bytes = std::min(bytes, bytes_max_);
    // Tasks queue at the lock, so a large loan is not overtaken for ever by small ones.
    const aio::Lock::Guard first = co_await line_.acquire();
    for (;;) {
        const bool has_credit = free_bytes_ >= bytes;
        if (has_credit && !is_tight()) break;
        changed_.clear();
        std::optional<TimePoint> until;
        if (has_credit) {  // Only the process as a whole holds too much: poll.
            const TimePoint now = aio::EventLoop::running().time();
            watch_->check(now);
            until = now + kLookAgain;
        }
        co_await aio::WaitUntil(changed_, until);
    }
    free_bytes_ -= bytes;
    co_return Loan(*this, bytes);
}

bool BodyCredit::is_tight() const {
    return watch_ && watch_->is_tight(aio::EventLoop::running().time());
}

bool BodyCredit::Loan::grow(std::size_t bytes) {
    if (bytes <= bytes_ || !credit_) return true;
    const std::size_t more = bytes - bytes_;
    if (credit_->free_bytes_ < more || credit_->is_tight()) return false;
    credit_->free_bytes_ -= more;
    bytes_ = bytes;
    return true;
}

void BodyCredit::Loan::shrink(std::size_t bytes) {
    if (bytes >= bytes_ || !credit_) return;
    credit_->give_back(bytes_ - bytes);
    bytes_ = bytes;
}

}  // namespace weft::crawl
