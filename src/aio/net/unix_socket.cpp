#include "aio/net/unix_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aio/loop/watched_descriptor.h"

namespace weft::aio {
namespace {

using detail::SocketAddress;
using detail::SocketTransport;
using detail::WatchedDescriptor;

// A read stops at bytes that were sent together with a descriptor, even if more bytes follow. So a
// short read does not mean that the socket is empty.
class UnixTransport final : public SocketTransport {
public:
    UnixTransport(FileDescriptor fd, std::string name)
        : SocketTransport(std::move(fd)), name_(std::move(name)) {}

    Endpoint peer() const override { return {}; }
    Endpoint local() const override { return {}; }
    std::string peer_name() const override { return name_; }

private:
    std::string name_;
};

class UnixListener final : public Listener, private WatchedDescriptor {
public:
    UnixListener(FileDescriptor fd, std::filesystem::path path)
        : WatchedDescriptor(std::move(fd)), path_(std::move(path)) {}
    ~UnixListener() override { ::unlink(path_.c_str()); }

    Co<std::unique_ptr<Transport>> accept() override {
        SocketAddress address;
        FileDescriptor fd = co_await accept_descriptor(address);
        co_return std::make_unique<UnixTransport>(std::move(fd), "client of " + path_.string());
    }

    Endpoint local() const override { return {}; }

private:
    std::filesystem::path path_;
};

FileDescriptor open_socket() {
    FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) throw_errno("cannot open a unix socket");
    return fd;
}

}  // namespace

Co<Stream> open_unix_connection(std::filesystem::path path) {
    SocketAddress address(path);
    auto transport = std::make_unique<UnixTransport>(open_socket(), path.string());
    co_await transport->connect(address, path.string());
    co_return Stream(std::move(transport));
}

std::unique_ptr<Listener> listen_unix(const std::filesystem::path& path, ListenOptions options) {
    FileDescriptor fd = open_socket();
    SocketAddress address(path);
    if (::bind(fd.get(), address.get(), address.size()) != 0 ||
        ::listen(fd.get(), options.backlog) != 0) {
        throw_errno(fmt::format("cannot listen on {}", path.string()));
    }
    return std::make_unique<UnixListener>(std::move(fd), path);
}

StreamPair make_stream_pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) {
        throw_errno("cannot make a pair of sockets");
    }
    FileDescriptor first(ends[0]);
    FileDescriptor second(ends[1]);
    return {detail::adopt_socket(std::move(first), "other end"),
            detail::adopt_socket(std::move(second), "other end")};
}

Stream detail::adopt_socket(FileDescriptor fd, std::string name) {
    return Stream(std::make_unique<UnixTransport>(std::move(fd), std::move(name)));
}

}  // namespace weft::aio
