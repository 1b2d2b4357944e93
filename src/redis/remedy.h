#pragma once

#include <span>
#include <string>

#include "redis/reply.h"

namespace weft::redis {

// What helps against an error reply.
enum class Remedy {
    none,     // Nothing does, or the reply is no error: it is the caller's answer.
    refresh,  // Another node has the slot now: ask for the slots, then try again.
    pause,    // The server cannot do it now: try again later.
    load,     // The server lacks our functions: load them, then try again.
};

// `again` are further error codes for which a later try helps: those of the caller's own functions.
Remedy remedy_for(const Reply& reply, std::span<const std::string> again);

}  // namespace weft::redis
