#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "aio/task/co.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// One frontier for a crawl on several loops. Each shard has a desk: a Frontier that lends it the
// URLs of its own hosts and takes back their completions.
//
// The whole frontier stays on one loop, the home loop, with its store and its only committer. A
// link to a host of another shard is committed with the page on which it was found, and lent to its
// shard after that. Desk 0 is used on the home loop. Each other desk is used on its shard's loop
// and reaches the home loop by mailbox.
//
// Seeds are pushed through desk 0; seeds pushed through other desks are ignored. A closed desk
// lends nothing more. Closing desk 0 closes the frontier.
class ShardedFrontier {
public:
    using ShardOf = std::function<std::size_t(const Candidate&)>;

    // REQUIRES: called on the home loop; `whole` outlives this object.
    ShardedFrontier(Frontier& whole, std::size_t shard_count, ShardOf shard_of);
    ~ShardedFrontier();

    // Valid as long as this object. Only the shard itself may use it.
    Frontier& desk(std::size_t shard);

    // Lends and commits for all shards; runs on the home loop. It throws an error of the frontier.
    // Otherwise it runs until it is cancelled: cancel it once all shards have ended.
    aio::Co<> serve();

private:
    struct Office;
    struct ShardLink;
    class HomeDesk;
    class MailDesk;

    aio::Co<> lend();

    std::unique_ptr<Office> office_;
    std::vector<std::unique_ptr<Frontier>> desks_;
};

}  // namespace weft::frontier
