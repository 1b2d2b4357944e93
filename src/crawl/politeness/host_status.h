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
    pause,        // Politeness: as long as the last answer took, or as the user says.
    crawl_delay,  // robots.txt asks for it.
    retry_after,  // The server asks for it, with 429 or 503.
    overload,     // It said 429 or 503 without a time.
    unreachable,  // It could not be reached several times.
    robots,       // Its robots.txt cannot be had.
};

// For people: "robots.txt asks for a delay".
std::string_view describe(HostWait wait);

// How a host is doing, for displays.
struct HostStatus {
    std::string name;  // With its port.
    unsigned under_way_count = 0;
    std::uint64_t waiting_count = 0;  // URLs of it that are not done, besides those under way.
    Duration answer_time{};           // How long answers take, smoothed.
    HostWait wait = HostWait::none;
    Duration wait_left{};   // Until its next fetch may begin.
    int robots_status = 0;  // With HostWait::robots: what its robots.txt was answered with.
};

// Fills in waiting_count. Of the hosts that have nothing under way those with URLs stay, the
// longest wait first, and of these only a few: the frontier on disk takes a commit to count.
aio::Co<std::vector<HostStatus>> count_waiting(frontier::Frontier& frontier,
                                               std::vector<HostStatus> hosts);

}  // namespace weft::crawl
