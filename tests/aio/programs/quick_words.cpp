#include "aio/programs/world.h"

// Words that never wait. They may stand in callbacks too.
namespace weft::aio::programs {

namespace {

[[noreturn]] void raise_kind(int kind) {
    if (kind == 3) throw TimeoutError();
    if (kind == 4) throw CancelledError();
    throw Raised(kind);
}

}  // namespace

void World::do_set(Scope, const Statement& statement) {
    events_.at(first_of(statement)).set();
}

void World::do_clear(Scope, const Statement& statement) {
    events_.at(first_of(statement)).clear();
}

void World::do_put_now(Scope scope, const Statement& statement) {
    try {
        queues_.at(first_of(statement)).put_nowait(statement.numbers[1]);
        log(scope, "put");
    } catch (const Error&) {
        log(scope, kind_of(std::current_exception()));
    }
}

void World::do_get_now(Scope scope, const Statement& statement) {
    try {
        const int item = queues_.at(first_of(statement)).get_nowait();
        log(scope, fmt::format("got {}", item));
    } catch (const Error&) {
        log(scope, kind_of(std::current_exception()));
    }
}

void World::do_shutdown(Scope, const Statement& statement) {
    queues_.at(first_of(statement)).shutdown(statement.numbers[1] == 1);
}

void World::do_abort(Scope, const Statement& statement) {
    barriers_.at(first_of(statement)).abort();
}

void World::do_reset(Scope, const Statement& statement) {
    barriers_.at(first_of(statement)).reset();
}

void World::do_done(Scope scope, const Statement& statement) {
    try {
        queues_.at(first_of(statement)).task_done();
    } catch (const InvalidStateError&) {
        log(scope, "done too often");
    }
}

void World::do_cancel(Scope scope, const Statement& statement) {
    Task<int>* task = find(statement.numbers[0]);
    if (!task) return;
    const bool was_taken = task->cancel();
    log(scope, was_taken ? "cancels" : "cancels too late");
}

void World::do_fset(Scope scope, const Statement& statement) {
    try {
        futures_.at(first_of(statement)).set_result(statement.numbers[1]);
    } catch (const InvalidStateError&) {
        log(scope, "set already");
    }
}

void World::do_ffail(Scope scope, const Statement& statement) {
    try {
        const Future<int>& future = futures_.at(first_of(statement));
        future.set_exception(std::make_exception_ptr(Raised(statement.numbers[1])));
    } catch (const InvalidStateError&) {
        log(scope, "set already");
    }
}

void World::do_fcancel(Scope scope, const Statement& statement) {
    const bool was_taken = futures_.at(first_of(statement)).cancel();
    log(scope, was_taken ? "cancels" : "cancels too late");
}

void World::do_uncancel(Scope scope, const Statement&) {
    log(scope, fmt::format("uncancels to {}", current_task()->uncancel()));
}

void World::do_reschedule(Scope scope, const Statement& statement) {
    if (!scope.deadline || scope.deadline->expired()) return;
    scope.deadline->reschedule(duration_of(statement.numbers[0]));
    log(scope, fmt::format("until {}", scope.deadline->deadline()->time_since_epoch().count()));
}

void World::do_raise(Scope, const Statement& statement) {
    raise_kind(statement.numbers[0]);
}

void World::do_soon(Scope, const Statement& statement) {
    const int name = statement.numbers[0];
    handles_.insert_or_assign(name, EventLoop::running().call_soon([this, name, &statement] {
        run_callback(name, statement.blocks[0]);
    }));
}

void World::do_later(Scope, const Statement& statement) {
    const int name = statement.numbers[0];
    const Duration delay = duration_of(statement.numbers[1]);
    handles_.insert_or_assign(
        name, EventLoop::running().call_later(
                  delay, [this, name, &statement] { run_callback(name, statement.blocks[0]); }));
}

void World::do_take_back(Scope, const Statement& statement) {
    const auto found = handles_.find(statement.numbers[0]);
    if (found != handles_.end()) found->second.cancel();
}

void World::do_on_done(Scope, const Statement& statement) {
    Task<int>* task = find(statement.numbers[1]);
    if (!task) return;
    task->add_done_callback([this, name = statement.numbers[0], watched = *task] {
        log({name}, "sees the end: " + ending_of(watched));
    });
}

void World::do_spawn(Scope, const Statement& statement) {
    const int name = statement.numbers[0];
    tasks_[name] = create_task(run_task(name, statement.blocks[0]));
}

const std::map<std::string_view, World::QuickWord> World::kQuickWords{
    {"set", &World::do_set},           {"clear", &World::do_clear},
    {"put_now", &World::do_put_now},   {"get_now", &World::do_get_now},
    {"shutdown", &World::do_shutdown}, {"abort", &World::do_abort},
    {"reset", &World::do_reset},       {"done", &World::do_done},
    {"cancel", &World::do_cancel},     {"fset", &World::do_fset},
    {"ffail", &World::do_ffail},       {"fcancel", &World::do_fcancel},
    {"uncancel", &World::do_uncancel}, {"reschedule", &World::do_reschedule},
    {"raise", &World::do_raise},       {"soon", &World::do_soon},
    {"later", &World::do_later},       {"take_back", &World::do_take_back},
    {"on_done", &World::do_on_done},   {"spawn", &World::do_spawn},
};

}  // namespace weft::aio::programs
