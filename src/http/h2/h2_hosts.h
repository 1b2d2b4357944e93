#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aio/sync/lock.h"
#include "http/connect/pool.h"
#include "http/h2/h2_connection.h"

namespace weft::http {

// An HTTP/2 connection and the room it takes.
struct H2Shared {
    H2Shared(aio::Stream stream, Pool::Room the_room)
        : room(std::move(the_room)), connection(std::move(stream)) {}

    Pool::Room room;
    H2Connection connection;
    std::uint32_t judged_by = 0;  // The revision of the address policy that allowed it.
};

// The HTTP/2 connections of a client: at most one for each key of the pool, shared by all fetches
// of that key and of no other (H55). Connections that nobody has used for a while are closed, and
// the one idle longest gives way where the pool is full.
//
// On one loop's thread.
class H2Hosts {
public:
    explicit H2Hosts(Duration idle_time_max) : idle_time_max_(idle_time_max) {}

    // The connection of this key if another exchange may start on it; or nullptr.
    H2Shared* find(std::string_view key);

    // In place of one that is no longer usable.
    H2Shared& add(std::string_view key, std::unique_ptr<H2Shared> shared);

    // Taken by whoever opens the first connection to a key that may turn out to speak HTTP/2, so
    // that the others wait and share it.
    aio::Lock& opening(std::string_view key);

    // The server spoke HTTP/1.1: nobody needs to wait for others there.
    void note_http1(std::string_view key);
    bool speaks_http1(std::string_view key) const;

    // Now and then: closes what is idle too long. With `makes_room` at once, and also the one idle
    // longest.
    void sweep(TimePoint now, bool makes_room);

private:
    struct Host {
        std::unique_ptr<H2Shared> shared;
        aio::Lock opening;
        bool is_http1 = false;
    };

    // What is known of hosts is forgotten when there are so many.
    static constexpr std::size_t kHostCountMax = 10'000;

    Host& host_of(std::string_view key);

    Duration idle_time_max_;
    std::unordered_map<std::string, std::unique_ptr<Host>> hosts_;
    std::vector<std::unique_ptr<H2Shared>> draining_;  // The server has said goodbye on these.
    TimePoint swept_at_{};
};

}  // namespace weft::http
