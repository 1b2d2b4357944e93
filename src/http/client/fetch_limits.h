#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/limits.h"

namespace weft::http {

// How long each phase of a fetch may take and how much an answer may be. Each limit has a failure
// of its own name.
struct FetchLimits {
    Duration dns_timeout = limits::kDnsTimeout;
    Duration connect_timeout = limits::kConnectTimeout;  // For one address.
    Duration proxy_timeout = limits::kConnectTimeout;    // For a proxy to lead on.
    Duration tls_timeout = limits::kTlsTimeout;
    Duration first_byte_timeout = limits::kFirstByteTimeout;
    Duration idle_timeout = limits::kIdleTimeout;  // Between two pieces, in either direction.
    Duration total_timeout = limits::kTotalTimeout;

    // After the first window an answer must come at this rate, else it is too_slow (H03).
    std::size_t rate_bytes_per_second_min = limits::kRateBytesPerSecondMin;
    Duration rate_window = limits::kRateWindow;

    // A longer body is cut here: Response::cut.
    std::uint64_t content_bytes_max = limits::kBodyBytesMax;
    std::uint64_t wire_bytes_max = limits::kBodyBytesMax;
};

}  // namespace weft::http
