#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aio/aio.h"

// Small concurrent programs, run in virtual time: aio's half of programs_test.py, which makes them,
// runs them on Python's asyncio too and compares. grammar.py says how a program is written,
// run_by_asyncio.py what its words do.
namespace weft::aio::programs {

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
    std::string word;
    std::vector<int> numbers;
    std::vector<Block> blocks;
};

// A program, from a line of text.
Block read_program(const std::string& line);

class Raised : public Error {
public:
    explicit Raised(int kind) : Error(fmt::format("raised {}", kind)) {}
};

// An exception, and the end of a task, as the trace calls them.
std::string kind_of(const std::exception_ptr& exception);
std::string ending_of(const Task<int>& task);

inline Duration duration_of(int nanoseconds) {
    return std::chrono::nanoseconds(nanoseconds);
}

// The number of the event, the lock and so on that a statement is about.
inline std::size_t first_of(const Statement& statement) {
    return static_cast<std::size_t>(statement.numbers.at(0));
}

// Who runs a statement, and the deadline it stands under.
struct Scope {
    int self = 0;
    Timeout* deadline = nullptr;
};

// What the tasks of a program share, and the meaning of the words.
class World {
public:
    Co<> run_all(const Block& block);
    void write() const {
        for (const std::string& line : trace_) fmt::print("{}\n", line);
    }

private:
    using Word = Co<> (World::*)(Scope, const Statement&);
    using QuickWord = void (World::*)(Scope, const Statement&);

    void log(Scope scope, std::string_view what) {
        const Duration now = EventLoop::running().time().time_since_epoch();
        trace_.push_back(fmt::format("{} {} {}", scope.self, now.count(), what));
    }

    Co<int> run_task(int self, const Block& block);
    Co<> run_block(Scope scope, const Block& block);
    Co<> run_statement(Scope scope, const Statement& statement);
    void run_callback(int self, const Block& block);
    bool run_quick(Scope scope, const Statement& statement);

    // Notes how an await ended, unless it ended because this task is cancelled itself.
    template <class A>
    Co<> note_end(Scope scope, std::string word, A awaitable);

    std::vector<Co<int>> tasks_of(const Statement& statement, std::size_t first_name);
    std::vector<Task<int>> known_tasks(const Statement& statement, std::size_t first_name);
    Task<int>* find(int name) {
        const auto found = tasks_.find(name);
        return found == tasks_.end() ? nullptr : &found->second;
    }

    // Words that never wait. They may stand in callbacks too.
    void do_set(Scope scope, const Statement& statement);
    void do_clear(Scope scope, const Statement& statement);
    void do_put_now(Scope scope, const Statement& statement);
    void do_get_now(Scope scope, const Statement& statement);
    void do_shutdown(Scope scope, const Statement& statement);
    void do_abort(Scope scope, const Statement& statement);
    void do_reset(Scope scope, const Statement& statement);
    void do_done(Scope scope, const Statement& statement);
    void do_cancel(Scope scope, const Statement& statement);
    void do_fset(Scope scope, const Statement& statement);
    void do_ffail(Scope scope, const Statement& statement);
    void do_fcancel(Scope scope, const Statement& statement);
    void do_uncancel(Scope scope, const Statement& statement);
    void do_reschedule(Scope scope, const Statement& statement);
    void do_raise(Scope scope, const Statement& statement);
    void do_soon(Scope scope, const Statement& statement);
    void do_later(Scope scope, const Statement& statement);
    void do_take_back(Scope scope, const Statement& statement);
    void do_on_done(Scope scope, const Statement& statement);
    void do_spawn(Scope scope, const Statement& statement);

    Co<> do_pause(Scope scope, const Statement& statement);
    Co<> do_sleep(Scope scope, const Statement& statement);
    Co<> do_yield(Scope scope, const Statement& statement);
    Co<> do_event(Scope scope, const Statement& statement);
    Co<> do_put(Scope scope, const Statement& statement);
    Co<> do_get(Scope scope, const Statement& statement);
    Co<> do_join(Scope scope, const Statement& statement);
    Co<> do_lock(Scope scope, const Statement& statement);
    Co<> do_permit(Scope scope, const Statement& statement);
    Co<> do_news(Scope scope, const Statement& statement);
    Co<> do_notify(Scope scope, const Statement& statement);
    Co<> do_barrier(Scope scope, const Statement& statement);
    Co<> do_await(Scope scope, const Statement& statement);
    Co<> do_shield(Scope scope, const Statement& statement);
    Co<> do_fawait(Scope scope, const Statement& statement);
    Co<> do_fshield(Scope scope, const Statement& statement);
    Co<> do_gather(Scope scope, const Statement& statement);
    Co<> do_gather_results(Scope scope, const Statement& statement);
    Co<> do_wait(Scope scope, const Statement& statement);
    Co<> do_completed(Scope scope, const Statement& statement);
    Co<> do_wait_for(Scope scope, const Statement& statement);
    Co<> do_wait_for_task(Scope scope, const Statement& statement);
    Co<> do_timeout(Scope scope, const Statement& statement);
    Co<> do_group(Scope scope, const Statement& statement);
    Co<> do_finally(Scope scope, const Statement& statement);
    Co<> do_catch(Scope scope, const Statement& statement);
    Co<> do_swallow(Scope scope, const Statement& statement);
    Co<> do_eat(Scope scope, const Statement& statement);

    static const std::map<std::string_view, Word> kWords;
    static const std::map<std::string_view, QuickWord> kQuickWords;

    std::array<Event, 2> events_;
    std::array<Lock, 2> locks_;
    std::array<Semaphore, 2> semaphores_{Semaphore(1), Semaphore(2)};
    std::array<Condition, 2> conditions_;
    std::array<Barrier, 2> barriers_{Barrier(2), Barrier(3)};
    std::array<Queue<int>, 2> queues_{Queue<int>(1), Queue<int>(0)};
    std::array<Future<int>, 3> futures_;
    std::map<int, Task<int>> tasks_;
    std::map<int, Handle> handles_;
    std::vector<std::string> trace_;
};

}  // namespace weft::aio::programs
