#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "base/clock.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// What a store knows of one URL and its host.
struct Glance {
    bool is_admitted = false;  // It was queued once; whether it is done, the page log knows.

    // As it was queued, where that is still to be found: always of what was queued since the last
    // checkpoint, and of what waits not too far back in its host's queue.
    std::optional<Candidate> candidate;
    std::uint32_t attempt = 1;           // Of the fetch to come.
    std::optional<WallTime> not_before;  // Of a retry.

    HostCounts host;
    WallTime host_ready_at{};  // No fetch of the host starts before.
    bool is_host_dropped = false;
};

// Looks a URL (its `url`, `key` and `host`) up in the store at `path` without opening it: another
// process may be at work there. What it has not yet written is not seen. Takes some milliseconds,
// and some tens where the last checkpoint was long ago. Throws StoreError or IoError if there is no
// store or it is damaged.
Glance glance(aio::FileSystem& files, const std::filesystem::path& path, const Candidate& sought);

// The counts of the store at `path`, likewise; what is lent counts as waiting.
Counts glance_counts(aio::FileSystem& files, const std::filesystem::path& path);

}  // namespace weft::frontier
