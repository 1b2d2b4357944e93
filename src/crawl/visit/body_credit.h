#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "aio/sync/event.h"
#include "aio/sync/lock.h"
#include "aio/task/co.h"
#include "crawl/run/memory_watch.h"

namespace weft::crawl {

// Bounds the memory of all responses together, from the first byte until the page is committed: the
// bytes as received, the buffers of the content codings, links, ids, texts, entries of listings.
//
// Before it starts, a fetch borrows what most responses need, and waits if that much is not free.
// The first to ask is served first. So sockets are not read faster than memory becomes free (H98).
// A larger response asks for more as it grows. If that cannot be lent, its bytes are not kept, and
// the caller may start again with a loan for the largest possible response.
//
// Used on one loop. Outlives its loans.
class BodyCredit {
public:
    // With a `watch`, nothing is lent while the whole process holds too much. It may be null.
    explicit BodyCredit(std::size_t bytes_max, std::shared_ptr<MemoryWatch> watch = nullptr)
        : bytes_max_(bytes_max), free_bytes_(bytes_max), watch_(std::move(watch)) {}
    BodyCredit(const BodyCredit&) = delete;
    BodyCredit& operator=(const BodyCredit&) = delete;

    // Borrowed bytes. The destructor returns them. A default-constructed loan belongs to no credit
    // and grows without limit: it is for data that is bounded elsewhere.
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

        // Makes the loan at least that large. False if there is no credit for it; then the loan
        // keeps its size. Does not wait, and may overtake tasks that wait in borrow().
        bool grow(std::size_t bytes);

        // Returns what exceeds `bytes`.
        void shrink(std::size_t bytes);

    private:
        BodyCredit* credit_ = nullptr;
        std::size_t bytes_ = 0;
    };

    // Waits until `bytes` are free, at most bytes_max(). Resumed when a loan is returned, or by a
    // timer while memory is tight. Throws OutOfMemory. If it is cancelled, nothing is borrowed.
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
    aio::Lock line_;      // The waiting line: the task that holds it is served next.
    aio::Event changed_;  // Set when bytes are returned.
};

}  // namespace weft::crawl
