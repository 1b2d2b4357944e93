#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/limits.h"

namespace weft::http {

// How long each phase of a fetch may take and how large a response may be. Each timeout has a
// failure with its name.
struct FetchLimits {
    Duration dns_timeout = limits::kDnsTimeout;
    Duration connect_timeout = limits::kConnectTimeout;  // For one address.
    Duration proxy_timeout = limits::kConnectTimeout;    // For a proxy to connect us to the host.
    Duration tls_timeout = limits::kTlsTimeout;
    Duration first_byte_timeout = limits::kFirstByteTimeout;
    Duration idle_timeout = limits::kIdleTimeout;  // Between two pieces, in either direction.
    Duration total_timeout = limits::kTotalTimeout;

    // In each window a response must arrive at this rate at least, else it is too_slow (H03).
    std::size_t rate_bytes_per_second_min = limits::kRateBytesPerSecondMin;
    Duration rate_window = limits::kRateWindow;

    // A longer body is cut at these limits: see Response::cut.
    std::uint64_t content_bytes_max = limits::kBodyBytesMax;
    std::uint64_t wire_bytes_max = limits::kBodyBytesMax;
};

}  // namespace weft::http
