#pragma once

#include <exception>
#include <optional>
#include <string_view>

#include "http/client/failure.h"

namespace weft::cli {

// What the program's end tells a script.
enum ExitStatus {
    exit_done = 0,
    exit_internal = 1,
    exit_usage = 2,
    exit_file = 3,          // A file, the disk, a lock: the crawl can be resumed.
    exit_unreachable = 4,   // No seed could be reached; a fetch failed on the network.
    exit_tls = 5,           // A certificate is not to be trusted, or TLS failed otherwise.
    exit_auth = 6,          // The server or the proxy wants credentials, or others.
    exit_protocol = 7,      // What came was not the HTTP it should be.
    exit_broken = 8,        // A whole answer of a status from 400 up; for `check`, a broken link.
    exit_interrupted = 11,  // The first signal: what was under way was finished and kept.
    exit_forced = 13,       // The second signal.
    exit_page_limit = 14,   // Or a limit of bytes.
    exit_time_limit = 15,
};

// Says on standard error what went wrong, and gives the status to end with.
int tell(const std::exception_ptr& error);

// Ends the process with the same words and status where an exception for want of memory has no way
// to main(): on another thread, or in the middle of cleaning up. What was committed is safe then,
// as after a kill.
void tell_where_nobody_catches();

// What a fetch that failed so ends with.
ExitStatus status_of(http::Failure failure);

// The failure that page logs call so.
std::optional<http::Failure> failure_named(std::string_view name);

// The same by the failure's name.
ExitStatus status_of_failure(std::string_view name);

}  // namespace weft::cli
