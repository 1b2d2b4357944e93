#include "aio/loop/executor.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace weft::aio {

struct ThreadPool::State {
    std::mutex mutex;
    std::condition_variable work_there;
    std::deque<std::move_only_function<void()>> jobs;
    std::vector<std::thread> threads;
    unsigned thread_count_max;
    unsigned idle_count = 0;
    bool stopping = false;

    void work() {
        std::unique_lock lock(mutex);
        for (;;) {
            ++idle_count;
            work_there.wait(lock, [this] { return stopping || !jobs.empty(); });
            --idle_count;
            // Stopping ends a thread only when all jobs are done.
            if (jobs.empty()) return;
            std::move_only_function<void()> job = std::move(jobs.front());
            jobs.pop_front();
            lock.unlock();
            job();
            // The destructors of the job's captures run without the mutex.
            job = nullptr;
            lock.lock();
        }
    }
};

ThreadPool::ThreadPool(unsigned thread_count) : state_(std::make_unique<State>()) {
    state_->thread_count_max = thread_count;
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->work_there.notify_all();
    for (std::thread& thread : state_->threads) thread.join();
}

// If the system gives no further thread, the job waits for an existing one. If there is none at
// all, the job is refused. REQUIRES: the caller holds the mutex, and the job is the last in the
// queue.
void ThreadPool::add_thread(State& state) {
    try {
        state.threads.emplace_back([&state] { state.work(); });
    } catch (const std::system_error&) {
        if (!state.threads.empty()) return;
        state.jobs.pop_back();
        throw;
    }
}

void ThreadPool::execute(std::move_only_function<void()> job) {
    State& state = *state_;
    {
        const std::lock_guard lock(state.mutex);
        state.jobs.push_back(std::move(job));
        // An idle thread may already be meant for an earlier job, so it counts against all queued
        // jobs.
        const bool all_busy = state.idle_count < state.jobs.size();
        if (all_busy && state.threads.size() < state.thread_count_max) add_thread(state);
    }
    state.work_there.notify_one();
}

}  // namespace weft::aio
