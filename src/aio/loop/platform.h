#pragma once

#include "base/clock.h"
#include "base/random.h"

namespace weft::aio {

class Executor;
class FileSystem;
class Network;
class Selector;

// What a loop stands on: everything that is not pure computation is reached through one of these,
// so that a simulation can put its own in place. All outlive the loop.
struct Platform {
    Clock* clock;
    Selector* selector;
    Network* network;
    FileSystem* files;
    Executor* executor;
    Random* random;
};

}  // namespace weft::aio
