#pragma once

#include <cstddef>
#include <memory>

#include "aio/loop/loop.h"
#include "aio/net/ares_resolver.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"

namespace weft::aio {

// One of several loops that share a program: a thread with its loop, in a simulation just a loop.
struct Shard {
    std::size_t index;
    std::size_t count;
    EventLoop& loop;
};

// What each shard runs. Called once per shard, on its thread: what it captures is shared by all.
// The Shard is valid as long as its loop.
using ShardMain = CoFunction<Co<>(const Shard&)>;

// The cores that the process may run on, at least one.
std::size_t core_count();

// One loop per thread, each with its own selector, sockets, resolver and pool. Nothing is shared
// but what the program shares itself: shards speak through Mailbox.
//
//     Shards shards(4);
//     shards.run([&](const Shard& shard) -> Co<> { co_await crawl(mailboxes, shard); });
class Shards {
public:
    explicit Shards(std::size_t count, ResolverOptions resolver = {});
    ~Shards();

    // Runs `main` on every shard until all are done. When one fails, the others are cancelled, and
    // the first failure is thrown once all have ended; a thread that the system does not give is
    // such a failure (IoError). When it returns, no task, frame or
    // descriptor of a shard is left (A41). Blocks: not from inside a loop.
    void run(const ShardMain& main);

    // Cancels the main of every shard that runs. From any thread.
    void cancel();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace weft::aio
