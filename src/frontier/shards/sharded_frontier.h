#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "aio/task/co.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// One frontier for a crawl on several loops: each shard has a desk, which lends it the URLs of the
// hosts that are its own, and takes back what became of them.
//
// The frontier itself stays on one loop, the home loop, with its store and its only committer: a
// link of another shard is committed with the page it was found on, and lent to its shard after.
// Desk 0 is used on the home loop, each other one on a loop of its own, which it reaches by mail.
//
// Seeds are pushed by desk 0; those of other desks are left out. A desk that is closed lends no
// more; closing desk 0 closes the frontier.
class ShardedFrontier {
public:
    using ShardOf = std::function<std::size_t(const Candidate&)>;

    // On the home loop, which is the running one. `whole` outlives it.
    ShardedFrontier(Frontier& whole, std::size_t shard_count, ShardOf shard_of);
    ~ShardedFrontier();

    std::size_t shard_count() const { return desks_.size(); }

    // Lives as long as this; to be used by its shard alone.
    Frontier& desk(std::size_t shard);

    // Lends and commits, on the home loop. Ends with an error of the frontier; else it is to be
    // cancelled once all shards have ended.
    aio::Co<> serve();

private:
    struct Office;
    struct Way;
    class HomeDesk;
    class MailDesk;

    aio::Co<> lend();

    std::unique_ptr<Office> office_;
    std::vector<std::unique_ptr<Frontier>> desks_;
};

}  // namespace weft::frontier
