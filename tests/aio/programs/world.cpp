#include "aio/programs/world.h"

#include <charconv>
#include <sstream>

namespace weft::aio::programs {

namespace {

// Reads statements up to the closing brace. A statement is a word, its numbers and its blocks.
Block read_block(std::istringstream& words) {
    Block block;
    for (std::string word; words >> word && word != "}";) {
        int number = 0;
        const char* end = word.data() + word.size();
        if (word == "{") {
            block.back().blocks.push_back(read_block(words));
        } else if (std::from_chars(word.data(), end, number).ptr == end) {
            block.back().numbers.push_back(number);
        } else {
            block.push_back({word, {}, {}});
        }
    }
    return block;
}

}  // namespace

Block read_program(const std::string& line) {
    std::istringstream words(line);
    return read_block(words);
}

std::string kind_of(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const CancelledError&) {
        return "cancelled";
    } catch (const Raised& raised) {
        return raised.what();
    } catch (const TimeoutError&) {
        return "timeout";
    } catch (const ExceptionGroup& group) {
        std::string kinds;
        for (const std::exception_ptr& inner : group.exceptions()) kinds += " " + kind_of(inner);
        return fmt::format("group({} )", kinds);
    } catch (const QueueEmpty&) {
        return "empty";
    } catch (const QueueFull&) {
        return "full";
    } catch (const QueueShutDown&) {
        return "shut down";
    } catch (const BrokenBarrierError&) {
        return "broken";
    } catch (const InvalidStateError&) {
        return "misuse";
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::string ending_of(const Task<int>& task) {
    if (task.cancelled()) return "cancelled";
    const std::exception_ptr exception = task.exception();
    return exception ? kind_of(exception) : fmt::format("gives {}", task.result());
}

Co<int> World::run_task(int self, const Block& block) {
    const Scope scope{self};
    try {
        co_await run_block(scope, block);
    } catch (...) {  // tidy: allow catch-all: noted and thrown on
        log(scope, "ends: " + kind_of(std::current_exception()));
        throw;
    }
    log(scope, "ends");
    co_return self;
}

Co<> World::run_block(Scope scope, const Block& block) {
    for (const Statement& statement : block) co_await run_statement(scope, statement);
}

Co<> World::run_statement(Scope scope, const Statement& statement) {
    if (run_quick(scope, statement)) co_return;
    co_await (this->*kWords.at(statement.word))(scope, statement);
}

bool World::run_quick(Scope scope, const Statement& statement) {
    const auto found = kQuickWords.find(statement.word);
    if (found == kQuickWords.end()) return false;
    (this->*found->second)(scope, statement);
    return true;
}

void World::run_callback(int self, const Block& block) {
    log({self}, "called");
    for (const Statement& statement : block) run_quick({self}, statement);
}

// Whatever is left after 10 seconds is cancelled, as often as it takes.
Co<> World::run_all(const Block& block) {
    constexpr Scope kDriver{-1};
    constexpr int kTurnsMax = 8;
    EventLoop& loop = EventLoop::running();
    loop.set_exception_handler([](const std::string&, std::exception_ptr) {});
    for (Future<int>& future : futures_) future = create_future<int>();
    tasks_[0] = create_task(run_task(0, block));
    bool is_over = false;
    for (int turn = 0; turn < kTurnsMax && !is_over; ++turn) {
        co_await sleep(10s);
        is_over = true;
        for (const auto& [name, task] : tasks_) {
            if (task.done()) continue;
            is_over = false;
            log(kDriver, "cancels");
            task.cancel();
        }
    }
    log(kDriver, fmt::format("leaves {}", loop.task_count() - 1));
    tasks_.clear();
    futures_ = {};
}

}  // namespace weft::aio::programs
