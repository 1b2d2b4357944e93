#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "http/failure.h"

namespace weft::crawl {

// Tells hosts that are down from a network that is gone: a machine that was unplugged would
// otherwise take every URL for a dead one.
//
// It is gone when, after fetches that went well, nothing at all is heard from anybody and there is
// no way to any host: five failures in a row from one host, up to twenty from several; or twenty
// that include connections that only timed out, from four hosts over ten seconds. Whatever comes
// from a machine, a refusal too, says that the network is there. A value, on one loop's thread.
class NetworkWatch {
public:
    void on_answer();

    // Whether the failure is one of those that a lost network has.
    static bool counts(http::Failure failure);

    // REQUIRES: counts(failure). Gives whether the network is taken for lost.
    bool on_failure(http::Failure failure, std::uint64_t host_key, TimePoint now);

    bool is_lost() const { return is_lost_; }

private:
    bool was_there_ = false;
    bool is_lost_ = false;
    std::size_t failure_count_ = 0;  // In a row,
    std::size_t timeout_count_ = 0;  // of these: connections that timed out.
    std::vector<std::uint64_t> hosts_;
    TimePoint first_{};
};

}  // namespace weft::crawl
