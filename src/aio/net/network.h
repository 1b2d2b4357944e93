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

// Accepts connections. The destructor stops listening. On one loop's thread.
class Listener {
public:
    virtual ~Listener() = default;

    // The next connection. Throws IoError if the socket itself fails. If the process is out of
    // descriptors, it waits and tries again, without spinning. For one task at a time. If it is
    // cancelled, no connection is lost: it stays for the next accept().
    virtual Co<std::unique_ptr<Transport>> accept() = 0;

    virtual Endpoint local() const = 0;
};

// The addresses of a name, and for how long they are valid.
struct Resolution {
    std::vector<IpAddress> addresses;  // Never empty.
    Duration time_to_live;
};

// Resolves names to addresses. On one loop's thread.
class Resolver {
public:
    virtual ~Resolver() = default;

    // Throws ResolveError: no such name, no address, or the name server failed. If it is cancelled,
    // its answer is dropped; other waiters for the same name are not affected.
    virtual Co<Resolution> resolve(std::string host) = 0;
};

// The settings of Network::listen().
struct ListenOptions {
    int backlog = 1024;
    // Several listeners share the port; each gets a part of the connections.
    bool reuse_port = false;
};

// Makes connections: with the machine's sockets, or in a simulated network. It outlives the loop.
class Network {
public:
    virtual ~Network() = default;

    // A connection to exactly this endpoint, from the local address `local` if one is given. Throws
    // IoError (refused, unreachable, ...). It has no deadline of its own: put it under timeout() or
    // wait_for(). If it is cancelled, the socket is closed.
    virtual Co<std::unique_ptr<Transport>> connect(Endpoint endpoint,
                                                   std::optional<IpAddress> local = {}) = 0;

    // Port 0 picks a free port, which the listener's local() returns. Throws IoError.
    virtual std::unique_ptr<Listener> listen(Endpoint endpoint, ListenOptions options = {}) = 0;

    virtual Resolver& resolver() = 0;

    // Whether this machine itself has a route to the address now. Sends nothing. False is certain
    // (the cable is out); true says nothing about what lies beyond the first router.
    virtual bool has_route(const IpAddress& address) const = 0;

    // The loop is closing: releases everything that is registered with it.
    virtual void on_shutdown() noexcept {}
};

}  // namespace weft::aio
