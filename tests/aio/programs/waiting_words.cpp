#include <algorithm>

#include "aio/programs/world.h"

// Words that wait, and words with blocks.
namespace weft::aio::programs {

template <class A>
Co<> World::note_end(Scope scope, std::string word, A awaitable) {
    std::string end;
    try {
        const int value = co_await std::move(awaitable);
        end = fmt::format("gives {}", value);
    } catch (const CancelledError&) {
        if (current_task()->cancelling() > 0) throw;
        end = "cancelled";
    } catch (const std::exception&) {
        end = kind_of(std::current_exception());
    }
    log(scope, word + " " + end);
}

// Words that wait for one thing.

Co<> World::do_pause(Scope, const Statement& statement) {
    co_await sleep(duration_of(statement.numbers[0]));
}

Co<> World::do_sleep(Scope scope, const Statement& statement) {
    co_await sleep(duration_of(statement.numbers[0]));
    log(scope, "slept");
}

Co<> World::do_yield(Scope scope, const Statement&) {
    co_await yield_now();
    log(scope, "yielded");
}

Co<> World::do_event(Scope scope, const Statement& statement) {
    co_await events_.at(first_of(statement)).wait();
    log(scope, "event");
}

Co<> World::do_put(Scope scope, const Statement& statement) {
    co_await queues_.at(first_of(statement)).put(statement.numbers[1]);
    log(scope, "put");
}

Co<> World::do_get(Scope scope, const Statement& statement) {
    const int item = co_await queues_.at(first_of(statement)).get();
    log(scope, fmt::format("got {}", item));
}

Co<> World::do_join(Scope scope, const Statement& statement) {
    co_await queues_.at(first_of(statement)).join();
    log(scope, "joined");
}

Co<> World::do_lock(Scope scope, const Statement& statement) {
    auto guard = co_await locks_.at(first_of(statement)).acquire();
    log(scope, "locked");
    co_await run_block(scope, statement.blocks[0]);
}

Co<> World::do_permit(Scope scope, const Statement& statement) {
    auto permit = co_await semaphores_.at(first_of(statement)).acquire();
    log(scope, "permitted");
    co_await run_block(scope, statement.blocks[0]);
}

Co<> World::do_news(Scope scope, const Statement& statement) {
    Condition& condition = conditions_.at(first_of(statement));
    auto guard = co_await condition.acquire();
    co_await condition.wait();
    log(scope, "news");
    co_await run_block(scope, statement.blocks[0]);
}

Co<> World::do_notify(Scope scope, const Statement& statement) {
    Condition& condition = conditions_.at(first_of(statement));
    auto guard = co_await condition.acquire();
    const int count = statement.numbers[1];
    count == 0 ? condition.notify_all() : condition.notify(static_cast<std::size_t>(count));
    log(scope, "notified");
    co_await run_block(scope, statement.blocks[0]);
}

Co<> World::do_barrier(Scope scope, const Statement& statement) {
    Barrier& barrier = barriers_.at(first_of(statement));
    const std::size_t place = co_await barrier.wait();
    log(scope, fmt::format("passed as {}", place));
}

Co<> World::do_await(Scope scope, const Statement& statement) {
    Task<int>* task = find(statement.numbers[0]);
    if (task) co_await note_end(scope, "await", *task);
}

Co<> World::do_shield(Scope scope, const Statement& statement) {
    Task<int>* task = find(statement.numbers[0]);
    if (task) co_await note_end(scope, "shield", shield(*task));
}

Co<> World::do_fawait(Scope scope, const Statement& statement) {
    co_await note_end(scope, "future", futures_.at(first_of(statement)));
}

Co<> World::do_fshield(Scope scope, const Statement& statement) {
    co_await note_end(scope, "shielded", shield(futures_.at(first_of(statement))));
}

// Words that wait for several tasks.

std::vector<Co<int>> World::tasks_of(const Statement& statement, std::size_t first_name) {
    std::vector<Co<int>> cos;
    for (std::size_t i = first_name; i < statement.numbers.size(); ++i) {
        cos.push_back(run_task(statement.numbers[i], statement.blocks[i - first_name]));
    }
    return cos;
}

std::vector<Task<int>> World::known_tasks(const Statement& statement, std::size_t first_name) {
    std::vector<Task<int>> known;
    for (std::size_t i = first_name; i < statement.numbers.size(); ++i) {
        if (Task<int>* task = find(statement.numbers[i])) known.push_back(*task);
    }
    return known;
}

Co<> World::do_gather(Scope scope, const Statement& statement) {
    std::string end = "gathers";
    try {
        const std::vector<int> values = co_await gather(tasks_of(statement, 0));
        for (const int value : values) end += fmt::format(" {}", value);
    } catch (const CancelledError&) {
        if (current_task()->cancelling() > 0) throw;
        end += " cancelled";
    } catch (const std::exception&) {
        end += " " + kind_of(std::current_exception());
    }
    log(scope, end);
}

Co<> World::do_gather_results(Scope scope, const Statement& statement) {
    std::string end = "gathers";
    const auto results = co_await gather_results(tasks_of(statement, 0));
    for (const auto& result : results) {
        end += result ? fmt::format(" {}", *result) : " " + kind_of(result.error());
    }
    log(scope, end);
}

Co<> World::do_wait(Scope scope, const Statement& statement) {
    std::vector<Task<int>> tasks = known_tasks(statement, 2);
    if (tasks.empty()) co_return;
    const auto when = static_cast<ReturnWhen>(statement.numbers[0]);
    std::optional<Duration> limit;
    if (statement.numbers[1] > 0) limit = duration_of(statement.numbers[1]);
    const WaitResult<int> result = co_await wait(std::move(tasks), when, limit);
    std::vector<std::string> ends;
    for (const Task<int>& task : result.done) ends.push_back(ending_of(task));
    std::ranges::sort(ends);
    log(scope, fmt::format("waited: {}; {} pending", fmt::join(ends, ", "), result.pending.size()));
}

Co<> World::do_completed(Scope scope, const Statement& statement) {
    std::optional<Duration> limit;
    if (statement.numbers[0] > 0) limit = duration_of(statement.numbers[0]);
    auto completed = as_completed(known_tasks(statement, 1), limit);
    try {
        while (auto task = co_await completed.next()) {
            // In Python the one exception would be as good as the other.
            if (task->cancelled() && current_task()->cancelling() > 0) throw CancelledError();
            log(scope, "completed: " + ending_of(*task));
        }
    } catch (const TimeoutError&) {
        log(scope, "completed too late");
    }
}

Co<> World::do_wait_for(Scope scope, const Statement& statement) {
    try {
        co_await wait_for(run_block({scope.self}, statement.blocks[0]),
                          duration_of(statement.numbers[0]));
        log(scope, "in time");
    } catch (const TimeoutError&) {
        log(scope, "too late");
    }
}

Co<> World::do_wait_for_task(Scope scope, const Statement& statement) {
    Task<int>* task = find(statement.numbers[1]);
    if (!task) co_return;
    co_await note_end(scope, "waited", wait_for(*task, duration_of(statement.numbers[0])));
}

Co<> World::do_timeout(Scope scope, const Statement& statement) {
    try {
        co_await with(timeout(duration_of(statement.numbers[0])), [&](Timeout& deadline) -> Co<> {
            co_await run_block({scope.self, &deadline}, statement.blocks[0]);
        });
        log(scope, "in time");
    } catch (const TimeoutError&) {
        log(scope, "too late");
    }
}

// The first block is the body; the others are the group's tasks.
Co<> World::do_group(Scope scope, const Statement& statement) {
    co_await task_group([&](TaskGroup& group) -> Co<> {
        for (std::size_t i = 0; i < statement.numbers.size(); ++i) {
            const int name = statement.numbers[i];
            tasks_[name] = group.create_task(run_task(name, statement.blocks[i + 1]));
        }
        co_await run_block({scope.self}, statement.blocks[0]);
    });
    log(scope, "group ends");
}

// Words about exceptions.

// The second block is a clean-up that runs in any case.
Co<> World::do_finally(Scope scope, const Statement& statement) {
    std::exception_ptr exception;
    try {
        co_await run_block(scope, statement.blocks[0]);
    } catch (...) {  // tidy: allow catch-all: thrown on below
        exception = std::current_exception();
        log(scope, "cleans up: " + kind_of(exception));
    }
    co_await run_block(scope, statement.blocks[1]);
    if (exception) std::rethrow_exception(exception);
}

Co<> World::do_catch(Scope scope, const Statement& statement) {
    bool failed = false;
    try {
        co_await run_block(scope, statement.blocks[0]);
    } catch (const std::exception&) {
        failed = true;
        log(scope, "catches: " + kind_of(std::current_exception()));
    }
    if (failed) co_await run_block(scope, statement.blocks[1]);
}

Co<> World::do_swallow(Scope scope, const Statement& statement) {
    try {
        co_await run_block(scope, statement.blocks[0]);
    } catch (const CancelledError&) {
        log(scope, fmt::format("swallows, {} left", current_task()->uncancel()));
    }
}

Co<> World::do_eat(Scope scope, const Statement& statement) {
    try {
        co_await run_block(scope, statement.blocks[0]);
    } catch (const CancelledError&) {
        log(scope, fmt::format("eats {}", current_task()->cancelling()));
    }
}

const std::map<std::string_view, World::Word> World::kWords{
    {"pause", &World::do_pause},       {"sleep", &World::do_sleep},
    {"yield", &World::do_yield},       {"event", &World::do_event},
    {"put", &World::do_put},           {"get", &World::do_get},
    {"join", &World::do_join},         {"lock", &World::do_lock},
    {"permit", &World::do_permit},     {"news", &World::do_news},
    {"notify", &World::do_notify},     {"barrier", &World::do_barrier},
    {"await", &World::do_await},       {"shield", &World::do_shield},
    {"fawait", &World::do_fawait},     {"fshield", &World::do_fshield},
    {"gather", &World::do_gather},     {"gather_results", &World::do_gather_results},
    {"wait", &World::do_wait},         {"completed", &World::do_completed},
    {"wait_for", &World::do_wait_for}, {"wait_for_task", &World::do_wait_for_task},
    {"timeout", &World::do_timeout},   {"group", &World::do_group},
    {"finally", &World::do_finally},   {"catch", &World::do_catch},
    {"swallow", &World::do_swallow},   {"eat", &World::do_eat},
};

}  // namespace weft::aio::programs
