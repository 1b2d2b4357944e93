#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include <linux/io_uring.h>

#include "aio/files/file_descriptor.h"
#include "base/clock.h"

namespace weft::aio::detail {

// The two rings that a program and the kernel share: requests go in, completions come out. By bare
// system calls, for one thread. Throws IoError where the kernel gives none.
class Uring {
public:
    Uring(unsigned request_count, unsigned completion_count);

    // A zeroed request, sent to the kernel with the next submit() or wait(), or when the ring is
    // full.
    io_uring_sqe& request();

    // Hands the requests over without waiting.
    void submit() noexcept;

    // Hands them over and waits for a completion, at most `timeout` (none: for ever). May return
    // with none.
    void wait(std::optional<Duration> timeout);

    // The next completion, until there is none.
    struct Completion {
        std::uint64_t mark;  // The request's user_data.
        int result;
        bool goes_on;  // The same request will complete again.
    };
    std::optional<Completion> next() noexcept;

private:
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

    FileDescriptor fd_;
    io_uring_params params_{};
    Mapping rings_;
    Mapping requests_;
    unsigned tail_ = 0;  // Of the requests written so far.
};

}  // namespace weft::aio::detail
