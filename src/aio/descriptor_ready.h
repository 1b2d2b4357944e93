#pragma once

#include "aio/loop.h"
#include "aio/selector.h"
#include "aio/task_base.h"

namespace weft::aio {

// Awaited, waits until a descriptor that is not ours (a library's socket, an inotify, a terminal)
// can be read or written: asyncio's add_reader() and add_writer(), as an await.
//
//     co_await readable(inotify);
//     read_events(inotify);          // without blocking, as the descriptor is ready
//
// Resumed by the loop when the selector says so; "ready" may also mean closed or failed, which the
// next system call tells. The descriptor is watched only during the wait, by one waiter at a time,
// and stays open until then. Cancelled, it is watched no more and nothing was consumed. Throws
// IoError where it cannot be watched (a file on disk with epoll).
class DescriptorReady {
public:
    DescriptorReady(int fd, Interest interest) noexcept : fd_(fd), interest_(interest) {}

    class Awaiter;
    Awaiter operator co_await() const noexcept;

private:
    int fd_;
    Interest interest_;
};

class DescriptorReady::Awaiter final : public Waiter, public IoHandler {
public:
    Awaiter(int fd, Interest interest) noexcept : fd_(fd), interest_(interest) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        caller.promise().task()->loop().watch(fd_, interest_, *this);
        suspend(caller);
    }
    void await_resume() { check(); }

    void on_ready(Readiness) noexcept override {
        task()->loop().unwatch(fd_);
        wake();
    }
    bool cancel() noexcept override {
        task()->loop().unwatch(fd_);
        mark_cancelled();
        wake();
        return true;
    }

private:
    int fd_;
    Interest interest_;
};

inline DescriptorReady::Awaiter DescriptorReady::operator co_await() const noexcept {
    return Awaiter(fd_, interest_);
}

inline DescriptorReady readable(int fd) noexcept {
    return DescriptorReady(fd, {.read = true});
}

inline DescriptorReady writable(int fd) noexcept {
    return DescriptorReady(fd, {.write = true});
}

}  // namespace weft::aio
