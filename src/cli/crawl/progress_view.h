#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "crawl/politeness/host_status.h"
#include "crawl/run/watched.h"

namespace weft::cli {

// The state of a crawl at one moment, for people.
struct ProgressFacts {
    WallTime date{};
    Duration elapsed{};
    std::uint64_t done_count = 0;
    double rate = 0;  // URLs per second, over the last seconds.
    std::uint64_t content_bytes = 0;
    std::uint64_t waiting_count = 0;
    std::uint64_t under_way_count = 0;
    std::size_t active_host_count = 0;
    std::uint64_t retry_count = 0;
    std::vector<std::pair<std::string, std::uint64_t>> errors;  // By class, the most first.
    std::vector<crawl::HostStatus> slowest;                     // Hosts with a running fetch.
    std::vector<crawl::HostStatus> waiting;  // Hosts with URLs that wait for their turn.
    bool is_growing = false;                 // More is found than fetched: the end is not known.
    std::optional<Duration> time_left;
};

// Takes samples of a crawl, to compute its current speed.
class ProgressWatch {
public:
    // The crawl outlives it. `others`, if given, returns the number of waiting URLs that are not in
    // the crawl's frontier.
    explicit ProgressWatch(crawl::Watched& crawl, std::function<std::uint64_t()> others = {})
        : crawl_(crawl), others_(std::move(others)) {}

    aio::Co<ProgressFacts> look();

    // Without the hosts; does not suspend.
    ProgressFacts look_at_numbers();

private:
    struct Sample {
        TimePoint time;
        std::uint64_t done_count;
        std::uint64_t open_count;
    };

    void add_errors(ProgressFacts& facts) const;
    void add_outlook(ProgressFacts& facts, TimePoint now);

    crawl::Watched& crawl_;
    std::function<std::uint64_t()> others_;
    std::deque<Sample> samples_;  // Of the last seconds, the oldest first.
};

// One line: "1,234 done, 56/s, 38.1 MiB, 12 waiting, 3 under way, 2 failed".
std::string to_line(const ProgressFacts& facts);

// One JSON object and a line end.
std::string to_json_line(const ProgressFacts& facts);

// The lines of the live block: ASCII only, at most `width` wide, at most `height` lines.
std::vector<std::string> to_block(const ProgressFacts& facts, std::size_t width,
                                  std::size_t height);

}  // namespace weft::cli
