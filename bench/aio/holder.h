#pragma once

#include <cstddef>
#include <cstdint>

#include "aio/net/endpoint.h"
#include "bench/process.h"

namespace weft::bench {

// A server in another process that accepts `count` connections at 127.0.0.`host` and keeps them
// silent; plain system calls, so that it takes nothing away from what is measured. Released, it
// sends each one byte and resets it, which leaves no port in TIME_WAIT.
class Holder {
public:
    Holder(std::uint8_t host, std::size_t count);

    aio::Endpoint endpoint() const { return endpoint_; }

    // Until all have come.
    void wait_full();
    void release();

private:
    Child child_;
    aio::Endpoint endpoint_;
};

}  // namespace weft::bench
