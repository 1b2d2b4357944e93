#pragma once

namespace weft::cli {

// What the program's end tells a script.
enum ExitStatus {
    exit_done = 0,
    exit_internal = 1,
    exit_usage = 2,
    exit_file = 3,          // A file, the disk, a lock: the crawl can be resumed.
    exit_unreachable = 4,   // No seed could be reached.
    exit_tls = 5,           // A certificate could not be verified.
    exit_auth = 6,          // The server wants to know who asks.
    exit_protocol = 7,      // What came is no HTTP, or not what it says it is.
    exit_broken = 8,        // An error status; for `check`, a broken link.
    exit_interrupted = 11,  // The first signal: what was under way was finished and kept.
    exit_forced = 13,       // The second signal.
    exit_page_limit = 14,
    exit_time_limit = 15,
};

}  // namespace weft::cli
