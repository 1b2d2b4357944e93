#pragma once

#include <cstdint>
#include <memory>

#include "aio/files/memory_files.h"
#include "aio/loop/shards.h"
#include "aio/simulated/simulated_network.h"

namespace weft::aio {

// Shards in virtual time: the loops share one thread, one clock and one machine ("here"), and take
// turns in an order that the seed decides, also between the steps of one moment. What goes wrong
// only when shards meet in a certain order can so be found, and found again by its seed.
class SimulatedShards {
public:
    explicit SimulatedShards(std::size_t count, std::uint64_t seed = 1);
    ~SimulatedShards();

    // As Shards::run(). Throws an Error that shows where each task waits when nothing can happen
    // any more: mailboxes that wait for each other, say.
    void run(const ShardMain& main);

    // Virtual time since the start.
    Duration now() const;

    SimulatedNetwork& network();
    MemoryFiles& files();

private:
    struct World;
    std::unique_ptr<World> world_;
};

}  // namespace weft::aio
