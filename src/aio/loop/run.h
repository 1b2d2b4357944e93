#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "aio/loop/debug.h"
#include "aio/loop/loop.h"
#include "aio/net/ares_resolver.h"
#include "aio/task/co.h"
#include "aio/task/task.h"

namespace weft::aio {

// The real machine: its clock, sockets, files and threads. run() uses it.
class SystemPlatform {
public:
    explicit SystemPlatform(const ResolverOptions& resolver_options = {});
    ~SystemPlatform();

    Platform get() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Throws the error of a run whose loop was stopped before its coroutine had ended.
[[noreturn]] void throw_stopped();

// Runs `co` on `loop` to its end, then cancels and ends every other task. Returns the result or
// throws.
template <class T>
T run_on(EventLoop& loop, Co<T> co) {
    Task<T> task = create_task_on(loop, std::move(co), "main");
    bool is_done = false;
    try {
        is_done = loop.run_until_done(*task.state());
    } catch (...) {
        loop.shutdown();
        throw;
    }
    loop.shutdown();
    if (!is_done) throw_stopped();
    return task.state()->take();
}

// The settings of run() and Runner.
struct RunOptions {
    ResolverOptions resolver;

    // Reports wrong use and slow steps, and dumps all tasks on SIGUSR1; see debug.h.
    bool debug = debug_by_default();
    Duration slow_step = kSlowStep;  // Shorter steps are not reported.

    // How long closing waits for cancelled tasks; see EventLoop::shutdown().
    Duration closing_patience = kClosingPatience;

    // The first Ctrl-C cancels the main task, a second one ends the process. Only on the process's
    // main thread, and only if the program has no SIGINT handler of its own.
    bool interruptible = true;

    // Gets the exceptions that no code can catch; without a handler they go to the log.
    EventLoop::ExceptionHandler exception_handler;
};

// A loop on which several coroutines are run one after another, like asyncio.Runner:
//
//     Runner runner;
//     Site site = runner.run(open_site());
//     runner.run(serve(site));
//
// Tasks that one run leaves behind go on in the next. The destructor cancels the rest and closes
// the loop. Used by one thread.
class Runner {
public:
    explicit Runner(RunOptions options = {});
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Runs `co` to its end; returns its result or throws. Throws KeyboardInterrupt if Ctrl-C ended
    // it, InvalidStateError if stop() was called before its end or if this thread already runs a
    // loop.
    template <class T>
    T run(Co<T> co) {
        Task<T> task = create_task_on(get_loop(), std::move(co), "main");
        run_until_done(task.base());
        return task.state()->take();
    }

    EventLoop& get_loop();

    // Cancels every task and runs until all are done. After that nothing can be run.
    void close();

private:
    struct Parts;

    void run_until_done(TaskBase& main);

    std::unique_ptr<Parts> parts_;
};

// Creates a loop, runs `co` on it to its end, cancels the remaining tasks and closes the loop.
// Returns the result or throws; InvalidStateError if this thread already runs a loop.
template <class T>
T run(Co<T> co, RunOptions options = {}) {
    Runner runner(std::move(options));
    return runner.run(std::move(co));
}

}  // namespace weft::aio
