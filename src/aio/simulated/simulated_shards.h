#pragma once

#include <cstdint>
#include <memory>

#include "aio/files/memory_files.h"
#include "aio/loop/shards.h"
#include "aio/simulated/simulated_network.h"

namespace weft::aio {

// Shards in virtual time. The loops share one thread, one clock and one machine ("here"). They take
// turns in an order that the seed decides, also between the steps of one point in time. So a fault
// that needs a certain order of the shards can be found, and reproduced by its seed.
class SimulatedShards {
public:
    explicit SimulatedShards(std::size_t count, std::uint64_t seed = 1);
    ~SimulatedShards();

    // Like Shards::run(). If nothing can happen any more, for example because mailboxes wait for
    // each other, it throws an Error that shows where each task waits.
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
