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

// What a store knows about one URL and its host.
struct StoreSnapshot {
    bool is_admitted = false;  // It was queued once. Whether it is done is in the page log.

    // The URL as it was queued, if that can still be found: always if it was queued since the last
    // checkpoint, and if it waits not too far back in its host's queue.
    std::optional<Candidate> candidate;
    std::uint32_t attempt = 1;           // The number of the next fetch.
    std::optional<WallTime> not_before;  // Only for a retry.

    HostCounts host;
    WallTime host_ready_at{};  // No fetch of the host starts before this time.
    bool is_host_dropped = false;
};

// Looks up a URL (by `url`, `key` and `host`) in the store at `path` without opening the store, as
// another process may be using it. What that process has not written yet is not seen. Takes a few
// milliseconds, and some tens if the last checkpoint was long ago. Throws StoreError or IoError if
// there is no store or it is damaged.
StoreSnapshot find_in_store(aio::FileSystem& files, const std::filesystem::path& path,
                            const Candidate& sought);

// The counts of the store at `path`, read in the same way. Lent URLs count as waiting.
Counts counts_in_store(aio::FileSystem& files, const std::filesystem::path& path);

}  // namespace weft::frontier
