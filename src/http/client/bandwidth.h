#pragma once

#include <cstdint>
#include <mutex>

#include "base/clock.h"

namespace weft::http {

// A limit on the rate at which bodies are received, over all fetches that share it.
//
// A fetch reads a piece, reports its size here, and waits until that piece would have arrived at
// this rate, after all pieces reported before. While it waits it does not read, so buffers fill up
// and the server has to wait. The content that fetches have passed on never exceeds the rate; each
// connection holds at most one piece more. Thread-safe; the clocks of all loops must agree.
class Bandwidth {
public:
    // REQUIRES: bytes_per_second > 0
    explicit Bandwidth(std::uint64_t bytes_per_second);

    // Reports bytes that were received. Returns the time until which the caller has to hold them.
    TimePoint take(std::uint64_t bytes, TimePoint now);

    // The time at which everything reported so far has been passed on.
    TimePoint free_at() const;

private:
    double seconds_per_byte_;
    mutable std::mutex mutex_;
    TimePoint free_at_{};  // Guarded by mutex_.
};

}  // namespace weft::http
