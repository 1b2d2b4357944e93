#include "aio/net/datagram.h"

#include <cerrno>

#include <fmt/format.h>
#include <sys/socket.h>

#include "aio/loop/watched_descriptor.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"

namespace weft::aio {

using detail::SocketAddress;

class DatagramSocket::Socket final : public detail::WatchedDescriptor {
public:
    using WatchedDescriptor::WatchedDescriptor;

    Co<> send(std::string_view bytes, SocketAddress peer, std::string whom) {
        // Yields first: if it is cancelled here, nothing was sent.
        if (sends_.is_over()) co_await yield_now();
        for (;;) {
            const ssize_t sent = ::sendto(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
                                          peer.get(), peer.size());
            if (sent < 0 && errno == EINTR) continue;
            const IoResult result = note_write(sent);
            if (result) co_return;
            if (!would_block(result)) {
                throw IoError(fmt::format("cannot send to {}", whom), result.error());
            }
            sends_.restart();
            co_await wait_writable();
        }
    }

    Co<Datagram> receive(std::size_t bytes_max) {
        // Yields first: if it is cancelled here, none is lost.
        if (receipts_.is_over()) co_await yield_now();
        std::string room(bytes_max, '\0');
        for (;;) {
            SocketAddress peer;
            const ssize_t received =
                ::recvfrom(fd_.get(), room.data(), room.size(), 0, peer.get(), &peer.size());
            if (received < 0 && errno == EINTR) continue;
            // Room 0: a short datagram does not mean that the socket is empty, as the next one may
            // be waiting.
            const IoResult result = note_read(received, 0);
            if (result) {
                room.resize(*result);
                co_return Datagram{std::move(room), peer.endpoint()};
            }
            if (!would_block(result)) throw IoError("cannot receive", result.error());
            receipts_.restart();
            co_await wait_readable();
        }
    }

    Endpoint local() const { return detail::local_endpoint(fd_.get()); }

private:
    detail::CallTurns sends_;
    detail::CallTurns receipts_;
};

DatagramSocket::DatagramSocket(Endpoint local) {
    FileDescriptor fd(::socket(local.address.is_v4() ? AF_INET : AF_INET6,
                               SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) throw_errno("cannot open a datagram socket");
    SocketAddress address(local);
    if (::bind(fd.get(), address.get(), address.size()) != 0) {
        throw_errno(fmt::format("cannot bind to {}", local.to_string()));
    }
    socket_ = std::make_unique<Socket>(std::move(fd));
}

DatagramSocket::~DatagramSocket() = default;
DatagramSocket::DatagramSocket(DatagramSocket&&) noexcept = default;
DatagramSocket& DatagramSocket::operator=(DatagramSocket&&) noexcept = default;

Co<> DatagramSocket::send_to(std::string_view bytes, Endpoint peer) {
    co_await socket_->send(bytes, SocketAddress(peer), peer.to_string());
}

Co<DatagramSocket::Datagram> DatagramSocket::receive_from(std::size_t bytes_max) {
    co_return co_await socket_->receive(bytes_max);
}

Endpoint DatagramSocket::local() const {
    return socket_->local();
}

}  // namespace weft::aio
