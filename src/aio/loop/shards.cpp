#include "aio/loop/shards.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "aio/task/errors.h"
#include "aio/task/frame_pool.h"
#include "base/assert.h"

namespace weft::aio {

std::size_t core_count() {
    return std::max(1U, std::thread::hardware_concurrency());
}

struct Shards::State {
    // A shard that runs. While it is listed here, its loop is alive.
    struct Running {
        EventLoop* loop = nullptr;
        TaskBase* main = nullptr;  // Only for use on the loop's own thread.
    };

    State(std::size_t count, ResolverOptions options)
        : resolver(std::move(options)), running(count) {}

    void cancel_all() {
        const std::lock_guard lock(mutex);
        cancelled = true;
        for (const Running& shard : running) {
            if (!shard.loop) continue;
            shard.loop->call_soon_threadsafe([main = shard.main] { main->cancel(); });
        }
    }

    void note_failure(std::exception_ptr exception) {
        {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::move(exception);
        }
        cancel_all();
    }

    // A shard's entry in the list. It ends before the loop does, so every listed loop is alive.
    class Entered {
    public:
        Entered(State& state, std::size_t index, EventLoop& loop, const Task<>& main)
            : state_(state), index_(index) {
            const std::lock_guard lock(state_.mutex);
            state_.running[index_] = {&loop, &main.base()};
            if (state_.cancelled) main.cancel();  // Cancelled before this shard began.
        }
        ~Entered() {
            const std::lock_guard lock(state_.mutex);
            state_.running[index_] = {};
        }
        Entered(const Entered&) = delete;
        Entered& operator=(const Entered&) = delete;

    private:
        State& state_;
        std::size_t index_;
    };

    // Returns whether the shard ended without a failure.
    bool run_shard(std::size_t index, const ShardMain& main) {
        SystemPlatform platform(resolver);
        EventLoop loop(platform.get());
        const Shard shard{.index = index, .count = running.size(), .loop = loop};
        const Task<> task = create_task_on(loop, main(shard), "shard main");
        const Entered entered(*this, index, loop, task);
        try {
            loop.run_until_done(*task.state());
        } catch (...) {
            loop.shutdown();
            throw;
        }
        const bool has_failed = !task.cancelled() && task.done() && task.exception();
        if (has_failed) note_failure(task.exception());
        loop.shutdown();
        return !has_failed;
    }

    // Starts the thread of a shard. Throws IoError if the system cannot start it.
    std::thread start(std::size_t index, const ShardMain& main) {
        try {
            return std::thread([this, &main, index] {
                bool is_well = false;
                try {
                    is_well = run_shard(index, main);
                } catch (...) {  // tidy: thrown by run()
                    note_failure(std::current_exception());
                }
                // Frames are freed on their thread, so one that is alive now belongs to a coroutine
                // that outlived its loop. After a failure, such as memory that ran out in the
                // middle of cleaning up, some may be left; the failure is what the caller must hear
                // of.
                const bool has_left_none =
                    frame_pool::live_count() == 0 || frame_pool::has_given_up();
                WEFT_ASSERT(!is_well || has_left_none);
            });
        } catch (const std::system_error& error) {
            throw IoError(
                fmt::format("cannot start the thread of shard {} of {}", index + 1, running.size()),
                error.code());
        }
    }

    const ResolverOptions resolver;
    std::mutex mutex;
    std::vector<Running> running;
    std::exception_ptr failure;
    bool cancelled = false;
};

Shards::Shards(std::size_t count, ResolverOptions resolver)
    : state_(std::make_unique<State>(count, std::move(resolver))) {
    if (count == 0) throw InvalidStateError("Shards needs at least one shard");
}

Shards::~Shards() = default;

void Shards::run(const ShardMain& main) {
    State& state = *state_;
    std::vector<std::thread> threads;
    threads.reserve(state.running.size());
    try {
        for (std::size_t i = 0; i < state.running.size(); ++i) {
            threads.push_back(state.start(i, main));
        }
    } catch (...) {  // tidy: thrown below, once those that run have ended
        state.note_failure(std::current_exception());
    }
    for (std::thread& thread : threads) thread.join();
    {
        const std::lock_guard lock(state.mutex);  // Another thread may call cancel() even now.
        state.cancelled = false;
    }
    if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
}

void Shards::cancel() {
    state_->cancel_all();
}

}  // namespace weft::aio
