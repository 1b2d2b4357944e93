// An awaiter of one's own, twice: the exercises at the end of the ladder, solved.

#include <coroutine>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aio/aio.h"

using namespace weft;

// Exercise 1, in plain C++: whoever awaits the gate is paused until somebody opens it.
class Gate {
public:
    // Whoever is resumed may do anything, come back here too: so the list is taken away first.
    void open() {
        is_open_ = true;
        for (const auto waiter : std::exchange(waiters_, {})) waiter.resume();
    }

    bool await_ready() const { return is_open_; }
    void await_suspend(std::coroutine_handle<> waiter) { waiters_.push_back(waiter); }
    void await_resume() const {}

private:
    bool is_open_ = false;
    std::vector<std::coroutine_handle<>> waiters_;
};

// A coroutine that begins at once and that nobody waits for: the least that the compiler asks for.
struct Walk {
    struct promise_type {
        Walk get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::abort(); }
    };
};

Walk walk_through(Gate& gate, std::string_view who) {
    fmt::print("  {} comes\n", who);
    co_await gate;
    fmt::print("  {} is through\n", who);
}

// Exercise 2, on aio: waits for the end of a child process and gives its exit status. The kernel
// makes a descriptor of the child, which is readable when it has ended.
class ChildEnd final : public aio::Waiter, public aio::IoHandler {
public:
    explicit ChildEnd(pid_t child)
        : child_(child), fd_(static_cast<int>(syscall(SYS_pidfd_open, child, 0))) {}
    ~ChildEnd() { close(fd_); }

    bool await_ready() {
        is_over_ = waitpid(child_, &status_, WNOHANG) == child_;
        return is_over_;
    }

    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        aio::EventLoop::running().watch(fd_, {.read = true}, *this);
        suspend(caller);  // From here on we may be cancelled.
    }

    int await_resume() {
        check();  // Throws if we were.
        if (!is_over_) waitpid(child_, &status_, 0);
        return WEXITSTATUS(status_);
    }

    // The loop calls one of these two, once.
    void on_ready(aio::Readiness) noexcept override { stop_waiting(); }
    bool cancel() noexcept override {
        mark_cancelled();
        stop_waiting();
        return true;
    }

private:
    void stop_waiting() noexcept {
        aio::EventLoop::running().unwatch(fd_);
        wake();
    }

    pid_t child_;
    int fd_;
    int status_ = 0;
    bool is_over_ = false;
};

template <class Body>
pid_t start_child(Body body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    return child;
}

aio::Co<int> end_of(pid_t child) {
    const int status = co_await ChildEnd(child);
    co_return status;
}

aio::Co<> wait_for_children() {
    const pid_t quick = start_child([] { return 3; });
    const int status = co_await end_of(quick);
    fmt::print("  a child ended with {}\n", status);

    const pid_t slow = start_child([] { return pause(); });
    try {
        co_await aio::wait_for(end_of(slow), 50ms);
    } catch (const aio::TimeoutError&) {
        fmt::print("  another was not waited for any longer\n");
    }
    kill(slow, SIGKILL);
    waitpid(slow, nullptr, 0);
}

int main() {
    fmt::print("a gate\n");
    Gate gate;
    walk_through(gate, "the first");
    walk_through(gate, "the second");
    gate.open();
    walk_through(gate, "the third");

    fmt::print("a child process\n");
    aio::run(wait_for_children());
}
