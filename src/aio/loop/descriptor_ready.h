#pragma once

#include <memory>
#include <unordered_map>

#include "aio/loop/loop.h"
#include "aio/loop/selector.h"
#include "aio/sync/waiter_list.h"

namespace weft::aio {

// Awaited, waits until a descriptor that is not ours (a library's socket, an inotify, a terminal)
// can be read or written: asyncio's add_reader() and add_writer(), as an await.
//
//     co_await readable(inotify);
//     read_events(inotify);          // without blocking, as the descriptor is ready
//
// Resumed by the loop when the selector says so; "ready" may also mean closed or failed, which the
// next system call tells. Any number of tasks may wait for one descriptor, in either direction; all
// that wait for what happens are resumed. It is watched only during the wait, and stays open until
// then. Cancelled, nothing was consumed. Throws IoError where it cannot be watched (a file on disk
// with epoll, a number that is no descriptor), InvalidStateError for the descriptor of a Stream.
class [[nodiscard("a descriptor is waited for only with co_await")]] DescriptorReady {
public:
    DescriptorReady(int fd, Interest interest) noexcept : fd_(fd), interest_(interest) {}

    class Awaiter;
    Awaiter operator co_await() const noexcept;

private:
    int fd_;
    Interest interest_;
};

class DescriptorReady::Awaiter final : public LinedWaiter {
public:
    Awaiter(int fd, Interest interest) noexcept : fd_(fd), interest_(interest) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        line_up(caller.promise().task()->loop());
        suspend(caller);
    }
    void await_resume() { check(); }

    bool cancel() noexcept override {
        leave_line();
        mark_cancelled();
        wake();
        return true;
    }

private:
    void line_up(EventLoop& loop);
    void leave_line() noexcept;

    int fd_;
    Interest interest_;
};

// The descriptors that tasks of a loop wait for so. Each is watched once, for all who wait.
class OutsideDescriptors {
public:
    explicit OutsideDescriptors(EventLoop& loop) : loop_(loop) {}

    void add(int fd, Interest interest, LinedWaiter& waiter);
    void remove(int fd, Interest interest, LinedWaiter& waiter) noexcept;

private:
    struct Watched final : IoHandler {
        Watched(OutsideDescriptors& the_owner, int the_fd) : owner(the_owner), fd(the_fd) {}
        void on_ready(Readiness readiness) noexcept override;

        OutsideDescriptors& owner;
        int fd;
        WaiterList readers;
        WaiterList writers;
    };

    // Watches for what is still waited for.
    void update(Watched& watched) noexcept;

    EventLoop& loop_;
    std::unordered_map<int, std::unique_ptr<Watched>> watched_;
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
