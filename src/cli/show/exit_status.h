#pragma once

#include <exception>
#include <optional>
#include <string_view>

#include "http/client/failure.h"

namespace weft::cli {

// The exit status of the program, for scripts.
enum ExitStatus {
    exit_done = 0,
    exit_internal = 1,
    exit_usage = 2,
    exit_file = 3,         // A file, the disk or a lock: the crawl can be resumed.
    exit_unreachable = 4,  // No seed could be reached; a fetch failed on the network.
    exit_tls = 5,          // The certificate is not trusted, or TLS failed otherwise.
    exit_auth = 6,         // The server or proxy wants credentials, or other ones.
    exit_protocol = 7,     // The response was not valid HTTP.
    exit_broken = 8,       // A complete response with a status from 400 up; `check`: a broken link.
    exit_interrupted = 11,  // The first signal: running fetches were finished and stored.
    exit_forced = 13,       // The second signal.
    exit_page_limit = 14,   // The limit of pages or of bytes.
    exit_time_limit = 15,
    exit_no_reader = 16,  // The reader of `--to -` went away: the crawl can be resumed.
};

// Whether the process may use enough address space to start at all. Otherwise says so on standard
// error; the exit status is exit_file.
bool has_address_space();

// Prints on standard error what went wrong. Returns the exit status.
int tell(const std::exception_ptr& error);

// Ends the process with the same words and status where an exception for want of memory has no way
// to main(): on another thread, or in the middle of cleaning up. What was committed is safe then,
// as after a kill.
void tell_where_nobody_catches();

// What a fetch that failed so ends with.
ExitStatus status_of(http::Failure failure);

// The failure with this name in page logs.
std::optional<http::Failure> failure_named(std::string_view name);

// status_of() by the failure's name.
ExitStatus status_of_failure(std::string_view name);

}  // namespace weft::cli
