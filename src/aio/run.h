#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "aio/ares_resolver.h"
#include "aio/co.h"
#include "aio/loop.h"
#include "aio/task.h"

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

// Runs `co` on `loop` to its end and then ends every other task. Gives its result or throws.
template <class T>
T run_on(EventLoop& loop, Co<T> co) {
    Task<T> task = create_task_on(loop, std::move(co), "main");
    try {
        loop.run_until_done(*task.state());
    } catch (...) {
        loop.shutdown();
        throw;
    }
    loop.shutdown();
    return task.state()->take();
}

struct RunOptions {
    ResolverOptions resolver;
};

// Makes a loop, runs `co` on it to its end, cancels what is left, closes the loop. Gives the result
// or throws. Aborts inside a running loop.
template <class T>
T run(Co<T> co, const RunOptions& options = {}) {
    SystemPlatform platform(options.resolver);
    EventLoop loop(platform.get());
    return run_on(loop, std::move(co));
}

}  // namespace weft::aio
