#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aio/task/co.h"
#include "base/clock.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// Why the next fetch of a host has not begun.
enum class HostWait : std::uint8_t {
    none,
    pause,        // The polite pause: as long as the last response took, or as the user says.
    crawl_delay,  // The Crawl-delay of robots.txt.
    retry_after,  // The server answered 429 or 503 with a Retry-After.
    overload,     // The server answered 429 or 503 without a time.
    unreachable,  // The host could not be reached.
    robots,       // Its robots.txt is unavailable.
};

// A text for people: "robots.txt asks for a delay".
std::string_view describe(HostWait wait);

// The state of a host, for displays.
struct HostStatus {
    std::string name;  // With its port.
    unsigned under_way_count = 0;
    std::uint64_t waiting_count = 0;  // Its URLs that are not done; see count_waiting().
    Duration answer_time{};           // How long its responses take, smoothed.
    HostWait wait = HostWait::none;
    Duration wait_left{};   // Until its next fetch may begin.
    int robots_status = 0;  // With HostWait::robots: the status of the robots.txt response.
};

// Sorts `hosts` for a display. Hosts with a fetch under way come first and all stay; their
// waiting_count is not filled in. Of the others only a few with the longest waits stay, and of
// these only those that have URLs: for each the frontier is asked, and on disk that takes a commit.
aio::Co<std::vector<HostStatus>> count_waiting(frontier::Frontier& frontier,
                                               std::vector<HostStatus> hosts);

}  // namespace weft::crawl
