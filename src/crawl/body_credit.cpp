#include "crawl/body_credit.h"

#include <algorithm>

namespace weft::crawl {

aio::Co<BodyCredit::Loan> BodyCredit::borrow(std::size_t bytes) {
    bytes = std::min(bytes, bytes_max_);
    const aio::Lock::Guard first = co_await line_.acquire();
    while (free_bytes_ < bytes) {
        changed_.clear();
        co_await changed_.wait();
    }
    free_bytes_ -= bytes;
    co_return Loan(*this, bytes);
}

bool BodyCredit::Loan::grow(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (!credit_ || credit_->free_bytes_ < bytes - bytes_) return false;
    credit_->free_bytes_ -= bytes - bytes_;
    bytes_ = bytes;
    return true;
}

}  // namespace weft::crawl
