#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <linux/io_uring.h>

#include "aio/files/file_descriptor.h"
#include "base/clock.h"

namespace weft::aio::detail {

// The two rings that the program and the kernel share: requests go in, completions come out. It
// uses the bare system calls, for one thread. The constructor throws IoError if the kernel refuses.
class Uring {
public:
    Uring(unsigned request_count, unsigned completion_count);

    // A zeroed request. It goes to the kernel with the next submit() or wait(), or when the ring is
    // full. The reference is valid until then.
    io_uring_sqe& request();

    // Hands the requests to the kernel without waiting.
    void submit() noexcept;

    // Hands the requests over and waits for a completion, at most `timeout` (none: without limit).
    // May return without one.
    void wait(std::optional<Duration> timeout);

    // The next completion; nullopt when there is none left.
    struct Completion {
        std::uint64_t mark;  // The request's user_data.
        int result;
        bool goes_on;  // The same request will complete again.
    };
    std::optional<Completion> next() noexcept;

private:
    // Memory that is shared with the kernel. The destructor unmaps it.
    class Mapping {
    public:
        Mapping() = default;
        Mapping(int fd, std::size_t size, std::uint64_t offset);
        Mapping(const Mapping&) = delete;
        Mapping& operator=(Mapping&& other) noexcept;
        ~Mapping();

        template <class T>
        T* at(std::size_t offset) const {
            return reinterpret_cast<T*>(static_cast<char*>(memory_) + offset);
        }

    private:
        void* memory_ = nullptr;
        std::size_t size_ = 0;
    };

    unsigned pending() const;
    std::optional<Completion> fetch() noexcept;

    FileDescriptor fd_;
    io_uring_params params_{};
    Mapping rings_;
    Mapping requests_;
    unsigned tail_ = 0;               // Number of requests written so far.
    std::deque<Completion> fetched_;  // Those that request() had to make room for.
};

}  // namespace weft::aio::detail
