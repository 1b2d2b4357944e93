#pragma once

#include <memory>
#include <unordered_map>

#include "aio/loop/loop.h"
#include "aio/loop/selector.h"
#include "aio/sync/waiter_list.h"

namespace weft::aio {

// Waits until a descriptor that aio does not own (a library's socket, an inotify, a terminal) can
// be read or written: asyncio's add_reader() and add_writer(), as an await.
//
//     co_await readable(inotify);
//     read_events(inotify);          // without blocking, as the descriptor is ready
//
// The loop resumes the waiter when the selector reports the descriptor. "Ready" may also mean
// closed or failed; the next system call says which. Any number of tasks may wait for one
// descriptor, in either direction; an event resumes all tasks that wait for that direction. The
// descriptor is watched only during the wait and must stay open until then. A cancelled wait has
// consumed nothing. Throws IoError if the descriptor cannot be watched (with epoll: a file on disk,
// or a number that is not a descriptor), InvalidStateError for the descriptor of a Stream.
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

// The foreign descriptors that tasks of one loop wait for. Each is watched once, for all its
// waiters, and only while a task waits. Owned by the loop.
class OutsideDescriptors {
public:
    explicit OutsideDescriptors(EventLoop& loop) : loop_(loop) {}

    void add(int fd, Interest interest, LinedWaiter& waiter);
    void remove(int fd, Interest interest, LinedWaiter& waiter) noexcept;

private:
    // One descriptor and the tasks that wait for it. At least one task waits.
    struct Watched final : IoHandler {
        Watched(OutsideDescriptors& the_owner, int the_fd) : owner(the_owner), fd(the_fd) {}
        void on_ready(Readiness readiness) noexcept override;

        OutsideDescriptors& owner;
        int fd;
        WaiterList readers;
        WaiterList writers;
    };

    // Reduces the watch to the directions that still have waiters, or ends it.
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
