#pragma once

#include <cstddef>
#include <memory>

#include "aio/loop/loop.h"
#include "aio/net/ares_resolver.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"

namespace weft::aio {

// One of several loops of a program: a thread with its loop; in a simulation only a loop.
struct Shard {
    std::size_t index;
    std::size_t count;
    EventLoop& loop;
};

// What each shard runs. It is called once per shard, on the shard's thread, so all shards share its
// captures. The Shard is valid as long as its loop.
using ShardMain = CoFunction<Co<>(const Shard&)>;

// The number of cores that the process may use, at least one.
std::size_t core_count();

// One loop per thread, each with its own selector, sockets, resolver and thread pool. The shards
// share only what the program shares itself; they communicate through Mailbox.
//
//     Shards shards(4);
//     shards.run([&](const Shard& shard) -> Co<> { co_await crawl(mailboxes, shard); });
class Shards {
public:
    explicit Shards(std::size_t count, ResolverOptions resolver = {});
    ~Shards();

    // Runs `main` on every shard until all are done. When one fails, the others are cancelled, and
    // the first failure is thrown after all have ended. It is a failure too (IoError) if the system
    // cannot start a thread. When run() returns, no task, frame or descriptor of a shard is left
    // (A41). Blocks: not to be called inside a loop.
    void run(const ShardMain& main);

    // Cancels the main coroutine of every running shard. From any thread.
    void cancel();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace weft::aio
