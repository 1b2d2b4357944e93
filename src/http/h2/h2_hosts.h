#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aio/sync/lock.h"
#include "base/hash.h"
#include "http/connect/pool.h"
#include "http/h2/h2_connection.h"

namespace weft::http {

// An HTTP/2 connection together with its permit of the pool.
struct H2Shared {
    H2Shared(aio::Stream stream, Pool::Room the_room)
        : room(std::move(the_room)), connection(std::move(stream)) {}

    Pool::Room room;
    H2Connection connection;
    std::uint32_t judged_by = 0;  // The revision of the address policy that allowed the peer.
};

// The HTTP/2 connections of a client: at most one for each key of the pool, shared by all fetches
// of that key and of no other key (H55). Connections that are idle for too long are closed. If the
// pool is full, the one that has been idle longest is closed.
//
// Owned by ClientParts; on one loop's thread.
class H2Hosts {
public:
    H2Hosts(Duration idle_time_max, const Pool& pool)
        : idle_time_max_(idle_time_max), pool_(pool) {}

    // The connection of this key if another exchange may start on it; or nullptr. Valid until the
    // next call of add() or sweep().
    H2Shared* find(std::string_view key);

    // Makes this the connection of the key. A connection that was there before finishes its
    // exchanges.
    H2Shared& add(std::string_view key, std::unique_ptr<H2Shared> shared);

    // The lock that a task holds while it opens the first connection of a key that may speak
    // HTTP/2. Other tasks of the key wait for it and then share the connection.
    aio::Lock& opening(std::string_view key);

    // The server of this key speaks HTTP/1.1, so tasks need not wait for each other there.
    void note_http1(std::string_view key);
    bool speaks_http1(std::string_view key) const;

    // An exchange of this turn has ended. Closes its connection if that is idle and others wait for
    // its room.
    void make_way(const Pool::Turn& turn);

    // Closes connections that have been idle for too long; does so at most once a second. With
    // `makes_room` it acts at once, and also closes the connection that has been idle longest.
    void sweep(TimePoint now, bool makes_room);

private:
    struct Host {
        std::unique_ptr<H2Shared> shared;
        aio::Lock opening;
        bool is_http1 = false;
    };

    // With more entries than this, sweep() drops those without a connection.
    static constexpr std::size_t kHostCountMax = 10'000;

    Host& host_of(std::string_view key);

    Duration idle_time_max_;
    const Pool& pool_;
    std::unordered_map<std::string, std::unique_ptr<Host>, SecretHash, std::equal_to<>> hosts_;
    std::vector<std::unique_ptr<H2Shared>> draining_;  // Not usable, but exchanges still run.
    TimePoint swept_at_{};
};

}  // namespace weft::http
