#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "aio/net/network.h"
#include "aio/task/co.h"
#include "crawl/run/watched.h"

namespace weft::cli {

// The numbers of a crawl for Prometheus. Their names are in docs/reference/metrics.md and do not
// change. No label holds text from outside, so no server can flood the database. Used on one loop.
class Metrics {
public:
    // The crawl outlives it.
    explicit Metrics(const crawl::Watched& crawl) : crawl_(crawl) {}

    // Call it for each outcome; it fills the histogram of times.
    void note(const crawl::Outcome& outcome);

    // In the Prometheus text format, version 0.0.4.
    std::string to_text() const;

    // Answers GET /metrics until it is cancelled.
    aio::Co<> serve(std::unique_ptr<aio::Listener> listener);

private:
    static constexpr std::array<double, 12> kBounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                       0.5,   1,    2.5,   5,    10,  30};

    const crawl::Watched& crawl_;
    std::array<std::uint64_t, kBounds.size() + 1> times_{};
    double seconds_sum_ = 0;
};

// "127.0.0.1:9090", "[::1]:9090", ":9090" and "9090", the last two on loopback. Throws UsageError.
aio::Endpoint parse_metrics_address(const std::string& text);

}  // namespace weft::cli
