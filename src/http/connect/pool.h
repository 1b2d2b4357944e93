#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "aio/net/endpoint.h"
#include "aio/sync/semaphore.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "http/connect/chain.h"
#include "http/connect/connection.h"
#include "http/connect/pool_limits.h"

namespace weft::http {

class PooledConnection;

// The open connections: how many there may be, and those that wait to be used again. A key says all
// that makes two connections interchangeable: scheme, host, port, proxy and whatever of the options
// matters for security.
//
// To fetch, a task takes a Turn at its key, and in it an idle connection, or room for a new one.
// Turns and room are given first come, first served; a task that is cancelled leaves the line, or
// passes on what it was given. A limit that idle connections fill is no limit: the oldest of them
// is closed.
//
// Nothing odd gets in: give() keeps only connections whose last exchange allows another. Nothing
// stale comes out: take() looks at the socket first. On one loop's thread; outlives all it gave.
class Pool {
public:
    class Turn;
    class Room;

    explicit Pool(const PoolLimits& limits = {});
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Waits until fewer than per_host_max others are at it.
    aio::Co<Turn> enter(std::string key);

    // The same, or nothing if there is a wait.
    std::optional<Turn> try_enter(std::string_view key);

    // Waits until another connection may be opened at all.
    aio::Co<Room> make_room();

    // Waits until another may be opened to this address; one that the room had before is left.
    aio::Co<> reach(Room& room, aio::IpAddress address);

    // Whether reach() would have to wait.
    bool is_crowded(const aio::IpAddress& address) const;

    // The connection that was used last, if it is still good for use; or nullptr.
    std::unique_ptr<PooledConnection> take(const Turn& turn, TimePoint now);

    // Closes it unless it may be used again.
    void give(const Turn& turn, std::unique_ptr<PooledConnection> connection, TimePoint now);

    std::size_t idle_count() const { return idle_count_; }
    std::size_t open_count() const { return limits_.connections_max - open_.free_count(); }

private:
    friend class PooledConnection;
    struct Host;
    struct Address;
    struct ByAge;
    struct ByHost;
    struct ByAddress;
    struct KeyHash {
        using is_transparent = void;
        std::uint64_t seed;
        std::size_t operator()(std::string_view key) const;
    };
    struct AddressHash {
        std::uint64_t seed;
        std::size_t operator()(const aio::IpAddress& address) const;
    };

    Host& host_of(std::string_view key);
    void close(PooledConnection* connection);
    void withdraw(PooledConnection& connection);
    void leave(Host& host) noexcept;
    void leave(Address& address) noexcept;

    PoolLimits limits_;
    aio::Semaphore open_;  // A permit for each open connection.
    std::size_t room_waiting_ = 0;
    std::unordered_map<std::string, std::unique_ptr<Host>, KeyHash, std::equal_to<>> hosts_;
    std::unordered_map<aio::IpAddress, std::unique_ptr<Address>, AddressHash> addresses_;
    Chain<PooledConnection, ByAge> idle_;  // Oldest first.
    std::size_t idle_count_ = 0;
};

// Being one of those who are at a host. Given back by destruction.
class Pool::Turn {
public:
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&& other) noexcept;
    ~Turn();

    // Valid as long as the turn.
    std::string_view key() const;

private:
    friend class Pool;
    Turn(Pool& pool, Host& host);

    Pool* pool_;
    Host* host_;
    aio::Semaphore::Permit permit_;
};

// Leave to have one connection open. Given back by destruction.
class Pool::Room {
public:
    Room(Room&& other) noexcept;
    Room& operator=(Room&& other) noexcept;
    ~Room();

private:
    friend class Pool;
    friend class PooledConnection;
    explicit Room(Pool& pool) : pool_(&pool) {}
    void leave_address() noexcept;

    Pool* pool_;
    Address* address_ = nullptr;
    aio::Semaphore::Permit permit_;
    aio::Semaphore::Permit address_permit_;
};

// A connection and the room it takes.
class PooledConnection final : public Connection,
                               private Link<PooledConnection, Pool::ByAge>,
                               private Link<PooledConnection, Pool::ByHost>,
                               private Link<PooledConnection, Pool::ByAddress> {
public:
    PooledConnection(aio::Stream stream, Pool::Room room)
        : Connection(std::move(stream)), room_(std::move(room)) {}

    std::uint32_t judged_by = 0;  // The revision of the address policy that allowed it.

private:
    friend class Pool;
    template <class T, class Tag>
    friend class Chain;

    Pool::Room room_;
    Pool::Host* host_ = nullptr;  // While idle.
    TimePoint idle_since_{};
};

}  // namespace weft::http
