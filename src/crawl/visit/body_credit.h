#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "aio/sync/event.h"
#include "aio/sync/lock.h"
#include "aio/task/co.h"
#include "crawl/run/memory_watch.h"

namespace weft::crawl {

// Bounds what is held for pages, over all fetches: the bytes as received, what the codings need,
// links, ids, texts, the entries of listings, from the first byte until the page is committed.
//
// A fetch borrows what most answers need before it starts and waits for it if need be, first come,
// first served: so sockets are not read faster than memory frees up (H98). A larger answer asks for
// more as it grows; what cannot be lent is not kept, and the fetch begins anew with a loan for the
// largest answer there may be. On one loop.
class BodyCredit {
public:
    // With a watch nothing is lent while the process as a whole holds too much; it may be null.
    explicit BodyCredit(std::size_t bytes_max, std::shared_ptr<MemoryWatch> watch = nullptr)
        : bytes_max_(bytes_max), free_bytes_(bytes_max), watch_(std::move(watch)) {}
    BodyCredit(const BodyCredit&) = delete;
    BodyCredit& operator=(const BodyCredit&) = delete;

    // A loan of no credit is for what is bounded elsewhere: it grows without end.
    class [[nodiscard]] Loan {
    public:
        Loan() = default;
        Loan(BodyCredit& credit, std::size_t bytes) : credit_(&credit), bytes_(bytes) {}
        Loan(Loan&& other) noexcept
            : credit_(std::exchange(other.credit_, nullptr)),
              bytes_(std::exchange(other.bytes_, 0)) {}
        Loan& operator=(Loan&& other) noexcept {
            std::swap(credit_, other.credit_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~Loan() {
            if (credit_) credit_->give_back(bytes_);
        }

        std::size_t bytes() const { return bytes_; }

        // Makes the loan at least that large, if there is credit. Does not wait.
        bool grow(std::size_t bytes);

        // Gives back what is beyond.
        void shrink(std::size_t bytes);

    private:
        BodyCredit* credit_ = nullptr;
        std::size_t bytes_ = 0;
    };

    // Never more than all there is. Throws OutOfMemory.
    aio::Co<Loan> borrow(std::size_t bytes);

    std::size_t bytes_max() const { return bytes_max_; }
    std::size_t held_bytes() const { return bytes_max_ - free_bytes_; }

private:
    bool is_tight() const;
    void give_back(std::size_t bytes) {
        free_bytes_ += bytes;
        changed_.set();
    }

    std::size_t bytes_max_;
    std::size_t free_bytes_;
    std::shared_ptr<MemoryWatch> watch_;
    aio::Lock line_;  // Held by the first who waits.
    aio::Event changed_;
};

}  // namespace weft::crawl
