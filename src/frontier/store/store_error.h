#pragma once

#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace weft::frontier {

// The crawl's state cannot be opened, read or written. `what()` says which file, why, and what to
// do. After an open store has thrown it, the store takes no more requests; what was committed is
// safe.
class StoreError : public Error {
public:
    explicit StoreError(const std::string& what) : Error(what), reason_(what) {}

    // `reason` is what is wrong, `way_out` what the user can do. They are separate because a repair
    // prints only the reason.
    StoreError(const std::string& reason, const std::string& way_out)
        : Error(reason + "; " + way_out), reason_(reason) {}

    const std::string& reason() const { return reason_; }

private:
    std::string reason_;
};

// Another process has the crawl open.
class LockedError final : public StoreError {
public:
    using StoreError::StoreError;
};

// How long to wait for a lock before another process counts as one that is at work. One that was
// killed lets go of its files only when its memory is given back, and a command that reads holds
// the lock for a moment, to see whether a crawl runs.
inline constexpr Duration kLockPatience = 2s;
inline constexpr Duration kLockInterval = 20ms;

// What to do about a file that is damaged or missing.
inline constexpr const char* kWayOut =
    "put the file back from a copy, or run `weft repair` on the crawl's folder, which keeps all "
    "that "
    "is good";

}  // namespace weft::frontier
