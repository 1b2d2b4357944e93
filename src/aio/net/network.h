#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/net/transport.h"
#include "aio/task/co.h"
#include "base/clock.h"

namespace weft::aio {

// Accepts connections. Destroyed, it stops listening.
class Listener {
public:
    virtual ~Listener() = default;

    // The next connection. Throws IoError when the socket itself fails. When the process is out of
    // descriptors it waits and tries again, never spins. For one task at a time. Cancelled, no
    // connection is lost: it waits for the next accept().
    virtual Co<std::unique_ptr<Transport>> accept() = 0;

    virtual Endpoint local() const = 0;
};

// The addresses of a name, and for how long they hold.
struct Resolution {
    std::vector<IpAddress> addresses;  // Never empty.
    Duration time_to_live;
};

// Names to addresses. On one loop's thread.
class Resolver {
public:
    virtual ~Resolver() = default;

    // Throws ResolveError: no such name, no address, or the name server failed. Cancelled, nobody
    // waits for the answer any more; that of another asker is not touched.
    virtual Co<Resolution> resolve(std::string host) = 0;
};

struct ListenOptions {
    int backlog = 1024;
    bool reuse_port = false;  // Several listeners share the port, each gets a part.
};

// Where connections come from: the machine's sockets, or a simulated network.
class Network {
public:
    virtual ~Network() = default;

    // A connection to exactly this endpoint, from the address `local` of this machine if one is
    // given. Throws IoError (refused, unreachable, ...). It has no deadline of its own: put it
    // under timeout() or wait_for(). Cancelled, its socket is closed.
    virtual Co<std::unique_ptr<Transport>> connect(Endpoint endpoint,
                                                   std::optional<IpAddress> local = {}) = 0;

    // Port 0 takes a free one; local() of the listener tells. Throws IoError.
    virtual std::unique_ptr<Listener> listen(Endpoint endpoint, ListenOptions options = {}) = 0;

    virtual Resolver& resolver() = 0;

    // Whether this machine itself has a way to the address now. Asks nobody: false is certain (the
    // cable is out), true says nothing of what lies beyond the first router.
    virtual bool has_route(const IpAddress& address) const = 0;

    // The loop is ending: lets go of everything registered with it.
    virtual void on_shutdown() noexcept {}
};

}  // namespace weft::aio
