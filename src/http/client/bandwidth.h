#pragma once

#include <cstdint>
#include <mutex>

#include "base/clock.h"

namespace weft::http {

// How fast bodies may come in, over all connections that share it.
//
// Bytes are counted as they are read, and whoever read them goes on only when they would have come
// at this rate, behind all that came before: so the next read waits, buffers fill, and the server
// has to wait. What has been handed on is never more than the rate allows; what is on its way
// besides is one piece for each connection. For any thread; the clocks of all loops must agree.
class Bandwidth {
public:
    // REQUIRES: bytes_per_second > 0
    explicit Bandwidth(std::uint64_t bytes_per_second);

    // Bytes have come: until when they are to wait.
    TimePoint take(std::uint64_t bytes, TimePoint now);

    // When all that has come so far will have been handed on.
    TimePoint free_at() const;

private:
    double seconds_per_byte_;
    mutable std::mutex mutex_;
    TimePoint free_at_{};
};

}  // namespace weft::http
