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
#include "base/chain.h"
#include "base/clock.h"
#include "http/connect/connection.h"
#include "http/connect/pool_limits.h"

namespace weft::http {

class PooledConnection;

// Limits the number of open connections, and keeps idle ones for reuse. Two connections with the
// same key are interchangeable: a key contains scheme, host, port, proxy and the options that
// matter for security.
//
// To fetch, a task takes a Turn (a permit to use the key). With it, it takes an idle connection, or
// a Room (a permit to open a new one). Both are given out first come, first served. A waiter is
// resumed by the loop after another task has returned its permit. A waiter that is cancelled leaves
// the queue; if it was already given a permit, the next waiter gets it. If idle connections use up
// a limit, the oldest of them is closed.
//
// give() keeps only connections whose last exchange allows another. take() checks the socket, so a
// stale connection is not returned. On one loop's thread; outlives everything that it returns.
class Pool {
public:
    class Turn;
    class Room;

    explicit Pool(const PoolLimits& limits = {});
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Waits until fewer than per_host_max turns of this key are taken.
    aio::Co<Turn> enter(std::string key);

    // The same without waiting; nothing if it would have to wait.
    std::optional<Turn> try_enter(std::string_view key);

    // Waits until another connection may be opened (connections_max).
    aio::Co<Room> make_room();

    // Waits until another connection to this address may be opened (per_address_max), and counts
    // `room` there. An address that the room had before is released first. `room` must outlive the
    // call.
    aio::Co<> reach(Room& room, aio::IpAddress address);

    // Whether reach() would have to wait.
    bool is_crowded(const aio::IpAddress& address) const;

    // The idle connection of this key that was used last and is still alive; or nullptr. Also
    // closes connections that have been idle for too long.
    std::unique_ptr<PooledConnection> take(const Turn& turn, TimePoint now);

    // Keeps the connection for reuse, or closes it if it cannot be reused.
    void give(const Turn& turn, std::unique_ptr<PooledConnection> connection, TimePoint now);

    // Whether a connection of this turn that becomes idle should be closed: others wait for its
    // room, and no task of the same key could use it.
    bool is_wanted_elsewhere(const Turn& turn, const Room& room) const;

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
    Host& withdraw(PooledConnection& connection);
    void leave(Host& host) noexcept;
    void leave(Address& address) noexcept;

    PoolLimits limits_;
    aio::Semaphore open_;           // A permit for each open connection.
    std::size_t room_waiting_ = 0;  // Tasks that wait in make_room().
    std::unordered_map<std::string, std::unique_ptr<Host>, KeyHash, std::equal_to<>> hosts_;
    std::unordered_map<aio::IpAddress, std::unique_ptr<Address>, AddressHash> addresses_;
    Chain<PooledConnection, ByAge> idle_;  // Oldest first.
    std::size_t idle_count_ = 0;
};

// Permission to use the connections of one key. The destructor returns it to the pool.
class Pool::Turn {
public:
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&& other) noexcept;
    ~Turn();

    // Valid as long as the turn exists.
    std::string_view key() const;

private:
    friend class Pool;
    Turn(Pool& pool, Host& host);

    Pool* pool_;
    Host* host_;
    aio::Semaphore::Permit permit_;
};

// Permission to open one connection. The destructor returns it to the pool.
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
    Address* address_ = nullptr;  // The address that this connection is counted at, if any.
    aio::Semaphore::Permit permit_;
    aio::Semaphore::Permit address_permit_;
};

// A connection together with its permit. While it is idle the pool owns it and it is in the pool's
// chains; while it is used, the fetch owns it and it is in no chain.
class PooledConnection final : public Connection,
                               public ChainLink<PooledConnection, Pool::ByAge>,
                               public ChainLink<PooledConnection, Pool::ByHost>,
                               public ChainLink<PooledConnection, Pool::ByAddress> {
public:
    PooledConnection(aio::Stream stream, Pool::Room room)
        : Connection(std::move(stream)), room_(std::move(room)) {}

    std::uint32_t judged_by = 0;  // The revision of the address policy that allowed the peer.

private:
    friend class Pool;

    Pool::Room room_;
    Pool::Host* host_ = nullptr;  // Set while idle.
    TimePoint idle_since_{};
};

}  // namespace weft::http
