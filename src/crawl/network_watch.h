#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aio/network.h"
#include "base/clock.h"
#include "http/failure.h"

namespace weft::crawl {

// Tells hosts that are down from a network that is gone: a machine that was unplugged would
// otherwise take every URL for a dead one.
//
// It is gone when, after fetches that went well, this machine has no route any more to who answered
// last: that is certain. It is taken for gone when nothing at all is heard from anybody and there
// is no way to any host: five failures in a row from one host, up to twenty from several; or twenty
// that include connections that only timed out, from four hosts over ten seconds. Whatever comes
// from a machine, a refusal too, says that the network is there. A value, for one thread at a time.
class NetworkWatch {
public:
    // Who answered: "192.0.2.1:443".
    void on_answer(std::string_view peer);

    // Gives whether the network is lost. A failure that somebody at the other end has caused says
    // that it is not; of our own and of silence only the route tells.
    bool on_failure(http::Failure failure, std::uint64_t host_key, const aio::Network& network,
                    TimePoint now);

    bool is_lost() const { return is_lost_; }

private:
    bool has_route(const aio::Network& network) const;
    void forget_failures();

    std::string last_peer_;  // Empty: nobody has answered yet.
    bool is_lost_ = false;
    std::size_t failure_count_ = 0;  // In a row,
    std::size_t timeout_count_ = 0;  // of these: connections that timed out.
    std::vector<std::uint64_t> hosts_;
    TimePoint first_{};
};

}  // namespace weft::crawl
