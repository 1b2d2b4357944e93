#include "aio/socket_network.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "aio/caching_resolver.h"
#include "aio/errors.h"
#include "aio/file_descriptor.h"
#include "aio/loop.h"
#include "aio/sleep.h"

namespace weft::aio {
namespace {

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_storage);

    SocketAddress() = default;
    explicit SocketAddress(const Endpoint& endpoint) {
        const auto& bytes = endpoint.address.bytes();
        if (endpoint.address.is_v4()) {
            auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
            v4.sin_family = AF_INET;
            v4.sin_port = htons(endpoint.port);
            std::memcpy(&v4.sin_addr, bytes.data(), 4);
            size = sizeof v4;
        } else {
            auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
            v6.sin6_family = AF_INET6;
            v6.sin6_port = htons(endpoint.port);
            std::memcpy(&v6.sin6_addr, bytes.data(), 16);
            size = sizeof v6;
        }
    }

    sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }

    Endpoint endpoint() const {
        if (storage.ss_family == AF_INET) {
            const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
            std::array<std::uint8_t, 4> bytes;
            std::memcpy(bytes.data(), &v4.sin_addr, 4);
            return {IpAddress::v4(bytes), ntohs(v4.sin_port)};
        }
        const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
        std::array<std::uint8_t, 16> bytes;
        std::memcpy(bytes.data(), &v6.sin6_addr, 16);
        return {IpAddress::v6(bytes), ntohs(v6.sin6_port)};
    }
};

IoResult failure() {
    return std::unexpected(std::error_code(errno, std::system_category()));
}

FileDescriptor open_socket(const Endpoint& endpoint) {
    FileDescriptor fd(::socket(endpoint.address.is_v4() ? AF_INET : AF_INET6,
                               SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) throw_errno("cannot open a socket");
    return fd;
}

// A descriptor registered once, edge-triggered, with what is known of its two directions.
class WatchedSocket : public IoHandler {
public:
    explicit WatchedSocket(FileDescriptor fd) : fd_(std::move(fd)), loop_(EventLoop::running()) {
        loop_.watch(fd_.get(), {.read = true, .write = true, .edge = true}, *this);
    }
    virtual ~WatchedSocket() { loop_.unwatch(fd_.get()); }

    void on_ready(Readiness readiness) noexcept override {
        if (readiness.hup) hup_ = true;
        if (readiness.readable) readable_.set();
        if (readiness.writable) writable_.set();
    }

protected:
    FileDescriptor fd_;
    EventLoop& loop_;
    IoSide readable_;
    IoSide writable_;
    bool hup_ = false;  // The peer will send no more: reading goes on until it says 0.
};

class TcpTransport final : public Transport, private WatchedSocket {
public:
    TcpTransport(FileDescriptor fd, Endpoint peer) : WatchedSocket(std::move(fd)), peer_(peer) {
        const int on = 1;
        setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    IoResult read(std::span<char> room) override {
        if (!readable_.is_ready()) {
            return std::unexpected(std::make_error_code(std::errc::operation_would_block));
        }
        for (;;) {
            const ssize_t n = ::recv(fd_.get(), room.data(), room.size(), 0);
            if (n >= 0) {
                const auto count = static_cast<std::size_t>(n);
                // A short read has emptied the socket: the next bytes come with a new edge.
                if (count < room.size() && !hup_) readable_.clear();
                return count;
            }
            if (errno == EINTR) continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) readable_.clear();
            return failure();
        }
    }

    IoResult write(std::string_view bytes) override {
        for (;;) {
            const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n >= 0) return static_cast<std::size_t>(n);
            if (errno == EINTR) continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) writable_.clear();
            return failure();
        }
    }

    IoWait until_readable() override { return readable_.wait(); }
    IoWait until_writable() override { return writable_.wait(); }
    void shutdown_write() override { ::shutdown(fd_.get(), SHUT_WR); }
    Endpoint peer() const override { return peer_; }
    Endpoint local() const override {
        SocketAddress address;
        getsockname(fd_.get(), address.get(), &address.size);
        return address.endpoint();
    }

    // Starts the connect; co_await until_writable(), then connect_error() decides (A2).
    std::error_code start_connect() {
        SocketAddress address(peer_);
        writable_.clear();
        if (::connect(fd_.get(), address.get(), address.size) == 0) return {};
        if (errno == EINTR) errno = EINPROGRESS;
        return {errno, std::system_category()};
    }
    std::error_code connect_error() const {
        int error = 0;
        socklen_t size = sizeof error;
        if (getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
        return {error, std::system_category()};
    }

private:
    Endpoint peer_;
};

constexpr Duration kAcceptPause = 100ms;

class TcpListener final : public Listener, private WatchedSocket {
public:
    explicit TcpListener(FileDescriptor fd) : WatchedSocket(std::move(fd)) {}

    Co<std::unique_ptr<Transport>> accept() override {
        for (;;) {
            SocketAddress address;
            FileDescriptor fd(
                ::accept4(fd_.get(), address.get(), &address.size, SOCK_NONBLOCK | SOCK_CLOEXEC));
            if (fd) co_return std::make_unique<TcpTransport>(std::move(fd), address.endpoint());
            const int error = errno;
            if (error == EAGAIN || error == EWOULDBLOCK) {
                readable_.clear();
                co_await readable_.wait();
            } else if (error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM) {
                co_await sleep(kAcceptPause);
            } else if (error != EINTR && error != ECONNABORTED) {
                errno = error;
                throw_errno(fmt::format("cannot accept on {}", local().to_string()));
            }
        }
    }

    Endpoint local() const override {
        SocketAddress address;
        getsockname(fd_.get(), address.get(), &address.size);
        return address.endpoint();
    }
};

}  // namespace

SocketNetwork::SocketNetwork(ResolverOptions resolver_options)
    : resolver_options_(std::move(resolver_options)) {}

SocketNetwork::~SocketNetwork() = default;

Co<std::unique_ptr<Transport>> SocketNetwork::connect(Endpoint endpoint) {
    auto transport = std::make_unique<TcpTransport>(open_socket(endpoint), endpoint);
    std::error_code error = transport->start_connect();
    if (error == std::errc::operation_in_progress) {
        co_await transport->until_writable();
        error = transport->connect_error();
    }
    if (error) throw IoError(fmt::format("cannot connect to {}", endpoint.to_string()), error);
    co_return std::move(transport);
}

std::unique_ptr<Listener> SocketNetwork::listen(Endpoint endpoint, ListenOptions options) {
    FileDescriptor fd = open_socket(endpoint);
    const int on = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (options.reuse_port) setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (endpoint.address.is_v6()) setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    SocketAddress address(endpoint);
    if (::bind(fd.get(), address.get(), address.size) != 0 ||
        ::listen(fd.get(), options.backlog) != 0) {
        throw_errno(fmt::format("cannot listen on {}", endpoint.to_string()));
    }
    return std::make_unique<TcpListener>(std::move(fd));
}

Resolver& SocketNetwork::resolver() {
    if (!resolver_) resolver_ = make_caching_resolver(make_ares_resolver(resolver_options_));
    return *resolver_;
}

void SocketNetwork::on_shutdown() noexcept {
    resolver_.reset();
}

}  // namespace weft::aio
