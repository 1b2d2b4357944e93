#include "aio/net/socket_network.h"

#include <cerrno>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/watched_descriptor.h"
#include "aio/net/caching_resolver.h"
#include "aio/net/socket_address.h"
#include "aio/task/sleep.h"

namespace weft::aio {
namespace {

using detail::SocketAddress;
using detail::SocketTransport;
using detail::WatchedDescriptor;

// Descriptors and buffers become free when other connections end, but that need not happen: the
// number of tries is limited (H96).
constexpr Duration kOpenPause = 50ms;
constexpr int kOpenPauseCountMax = 100;

FileDescriptor try_open_socket(const Endpoint& endpoint) {
    return FileDescriptor(::socket(endpoint.address.is_v4() ? AF_INET : AF_INET6,
                                   SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

FileDescriptor open_socket(const Endpoint& endpoint) {
    FileDescriptor fd = try_open_socket(endpoint);
    if (!fd) throw_errno("cannot open a socket");
    return fd;
}

// IP_BIND_ADDRESS_NO_PORT: the port is chosen when the peer is known, so connections to different
// peers can share one.
void bind_to(const FileDescriptor& fd, const IpAddress& local) {
    const int on = 1;
    setsockopt(fd.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    SocketAddress address(Endpoint{local, 0});
    if (::bind(fd.get(), address.get(), address.size()) == 0) return;
    throw_errno(fmt::format("cannot connect from {}", local.to_string()));
}

class TcpTransport final : public SocketTransport {
public:
    TcpTransport(FileDescriptor fd, Endpoint peer)
        // TCP reads are trusted to be complete when they are short: nothing was left in the socket.
        : SocketTransport(std::move(fd), true), peer_(peer) {
        const int on = 1;
        // Writes go out at once; Nagle's algorithm would hold small ones back.
        setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    Endpoint peer() const override { return peer_; }
    Endpoint local() const override { return detail::local_endpoint(fd_.get()); }

private:
    Endpoint peer_;
};

class TcpListener final : public Listener, private WatchedDescriptor {
public:
    explicit TcpListener(FileDescriptor fd) : WatchedDescriptor(std::move(fd)) {}

    Co<std::unique_ptr<Transport>> accept() override {
        SocketAddress address;
        FileDescriptor fd = co_await accept_descriptor(address);
        co_return std::make_unique<TcpTransport>(std::move(fd), address.endpoint());
    }

    Endpoint local() const override { return detail::local_endpoint(fd_.get()); }
};

}  // namespace

SocketNetwork::SocketNetwork(ResolverOptions resolver_options)
    : resolver_options_(std::move(resolver_options)) {}

SocketNetwork::~SocketNetwork() = default;

Co<std::unique_ptr<Transport>> SocketNetwork::connect(Endpoint endpoint,
                                                      std::optional<IpAddress> local) {
    FileDescriptor fd = try_open_socket(endpoint);
    for (int i = 0; !fd; ++i) {
        if (i == kOpenPauseCountMax || !detail::is_out_of_resources(errno)) {
            throw_errno("cannot open a socket");
        }
        co_await sleep(kOpenPause);
        fd = try_open_socket(endpoint);
    }
    if (local) bind_to(fd, *local);
    auto transport = std::make_unique<TcpTransport>(std::move(fd), endpoint);
    co_await transport->connect(SocketAddress(endpoint), endpoint.to_string());
    co_return std::move(transport);
}

std::unique_ptr<Listener> SocketNetwork::listen(Endpoint endpoint, ListenOptions options) {
    FileDescriptor fd = open_socket(endpoint);
    const int on = 1;
    // A restarted server can bind while old connections are in TIME_WAIT.
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (options.reuse_port) setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    // Otherwise an IPv6 listener would take the IPv4 port too, depending on the system's settings.
    if (endpoint.address.is_v6()) setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    SocketAddress address(endpoint);
    if (::bind(fd.get(), address.get(), address.size()) != 0 ||
        ::listen(fd.get(), options.backlog) != 0) {
        throw_errno(fmt::format("cannot listen on {}", endpoint.to_string()));
    }
    return std::make_unique<TcpListener>(std::move(fd));
}

Resolver& SocketNetwork::resolver() {
    if (!resolver_) resolver_ = make_caching_resolver(make_ares_resolver(resolver_options_));
    return *resolver_;
}

// Connecting a datagram socket sends nothing; it only looks up the route. Port 9 stands for any
// port.
bool SocketNetwork::has_route(const IpAddress& address) const {
    const int family = address.is_v4() ? AF_INET : AF_INET6;
    const FileDescriptor fd(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) return true;  // Unknown: say nothing wrong.
    SocketAddress target(Endpoint{address, 9});
    return ::connect(fd.get(), target.get(), target.size()) == 0 ||
           (errno != ENETUNREACH && errno != EHOSTUNREACH && errno != ENETDOWN);
}

bool is_own_address(const IpAddress& address) {
    const FileDescriptor fd(
        ::socket(address.is_v4() ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    SocketAddress own(Endpoint{address, 0});
    return fd && ::bind(fd.get(), own.get(), own.size()) == 0;
}

void SocketNetwork::on_shutdown() noexcept {
    resolver_.reset();
}

}  // namespace weft::aio
