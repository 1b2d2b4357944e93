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

// The machine as it is: its clock, sockets, files and threads. What run() stands on.
class SystemPlatform {
public:
    explicit SystemPlatform(const ResolverOptions& resolver_options = {});
    ~SystemPlatform();

    Platform get() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The error of a run whose loop was stopped before its coroutine had ended.
[[noreturn]] void throw_stopped();

// Runs `co` on `loop` to its end and then ends every other task. Gives its result or throws.
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

struct RunOptions {
    ResolverOptions resolver;

    // Reports wrong use and slow steps, and dumps all tasks on SIGUSR1; see debug.h.
    bool debug = debug_by_default();
    Duration slow_step = kSlowStep;  // Shorter ones are not reported.

    // How long closing waits for tasks that were cancelled; see EventLoop::shutdown().
    Duration closing_patience = kClosingPatience;

    // Ctrl-C cancels the main task, once; a second one ends the process. Only on the process's main
    // thread and where nobody else handles SIGINT.
    bool interruptible = true;

    // For exceptions nobody can catch; the log gets them if there is none.
    EventLoop::ExceptionHandler exception_handler;
};

// A loop on which several coroutines are run one after another, as asyncio.Runner:
//
//     Runner runner;
//     Site site = runner.run(open_site());
//     runner.run(serve(site));
//
// Tasks that one left behind go on in the next. The destructor cancels what is left and closes.
class Runner {
public:
    explicit Runner(RunOptions options = {});
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Runs `co` to its end; gives its result or throws. KeyboardInterrupt if it was ended by
    // Ctrl-C; InvalidStateError if stop() was called before. Aborts inside a running loop.
    template <class T>
    T run(Co<T> co) {
        Task<T> task = create_task_on(get_loop(), std::move(co), "main");
        run_until_done(task.base());
        return task.state()->take();
    }

    EventLoop& get_loop();

    // Cancels every task and runs until all are done. Nothing can be run any more.
    void close();

private:
    struct Parts;

    void run_until_done(TaskBase& main);

    std::unique_ptr<Parts> parts_;
};

// Makes a loop, runs `co` on it to its end, cancels what is left, closes the loop. Gives the result
// or throws. Aborts inside a running loop.
template <class T>
T run(Co<T> co, RunOptions options = {}) {
    Runner runner(std::move(options));
    return runner.run(std::move(co));
}

}  // namespace weft::aio
