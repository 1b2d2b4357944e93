#pragma once

#include "base/clock.h"
#include "base/random.h"

namespace weft::aio {

class Executor;
class FileSystem;
class Network;
class Selector;

// The interfaces on which a loop is built. Everything that is not pure computation is reached
// through one of them, so that a simulation can replace it. The objects must outlive the loop.
struct Platform {
    Clock* clock;
    Selector* selector;
    Network* network;
    FileSystem* files;
    Executor* executor;
    Random* random;
};

}  // namespace weft::aio
