#include "aio/shards.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "aio/frame_pool.h"
#include "aio/run.h"
#include "base/assert.h"

namespace weft::aio {

std::size_t core_count() {
    return std::max(1U, std::thread::hardware_concurrency());
}

struct Shards::State {
    // A shard that runs: who is here has a living loop.
    struct Running {
        EventLoop* loop = nullptr;
        TaskBase* main = nullptr;  // For the loop's own thread.
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

    // False if the run was cancelled before the shard began.
    bool enter(std::size_t index, EventLoop& loop, TaskBase& main) {
        const std::lock_guard lock(mutex);
        running[index] = {&loop, &main};
        return !cancelled;
    }
    void leave(std::size_t index) {
        const std::lock_guard lock(mutex);
        running[index] = {};
    }

    void run_shard(std::size_t index, const ShardMain& main) {
        SystemPlatform platform(resolver);
        EventLoop loop(platform.get());
        const Shard shard{.index = index, .count = running.size(), .loop = loop};
        const Task<> task = create_task_on(loop, main(shard), "shard main");
        if (!enter(index, loop, task.base())) task.cancel();
        loop.run_until_done(*task.state());
        if (!task.cancelled() && task.exception()) note_failure(task.exception());
        loop.shutdown();
        leave(index);
    }

    const ResolverOptions resolver;
    std::mutex mutex;
    std::vector<Running> running;
    std::exception_ptr failure;
    bool cancelled = false;
};

Shards::Shards(std::size_t count, ResolverOptions resolver)
    : state_(std::make_unique<State>(count, std::move(resolver))) {
    WEFT_ASSERT(count > 0);
}

Shards::~Shards() = default;

void Shards::run(const ShardMain& main) {
    State& state = *state_;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < state.running.size(); ++i) {
        threads.emplace_back([&state, &main, i] {
            try {
                state.run_shard(i, main);
            } catch (...) {  // tidy: thrown by run()
                state.leave(i);
                state.note_failure(std::current_exception());
            }
            WEFT_ASSERT(frame_pool::live_count() == 0);  // A coroutine outlived its loop.
        });
    }
    for (std::thread& thread : threads) thread.join();
    state.cancelled = false;
    if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
}

void Shards::cancel() {
    state_->cancel_all();
}

}  // namespace weft::aio
