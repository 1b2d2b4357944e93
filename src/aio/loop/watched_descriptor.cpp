#include "aio/loop/watched_descriptor.h"

#include <cerrno>

#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"

namespace weft::aio::detail {
namespace {

constexpr Duration kAcceptPause = 100ms;
constexpr Duration kConnectPause = 10ms;

// After this many such errors in a row each further one waits for the pause: the listener itself
// may be the cause.
constexpr int kRefusedAcceptsMax = 16;

bool says_not_now(int error) {
    return error == EAGAIN || error == EWOULDBLOCK;
}

}  // namespace

bool is_out_of_resources(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

bool is_of_one_connection(int error) {
    switch (error) {
        case ECONNABORTED:
        case EHOSTDOWN:
        case EHOSTUNREACH:
        case ENETDOWN:
        case ENETUNREACH:
        case ENONET:
        case ENOPROTOOPT:
        case EOPNOTSUPP:
        case EPERM:  // A firewall refused it.
        case EPROTO:
        case ETIMEDOUT: return true;
        default: return false;
    }
}

WatchedDescriptor::WatchedDescriptor(FileDescriptor fd, bool drained_by_short_read)
    : fd_(std::move(fd)),
      loop_(EventLoop::running()),
      edge_(loop_.selector().is_edge_triggered()),
      drained_by_short_read_(drained_by_short_read) {
    if (edge_) interest_ = {.read = true, .write = true, .edge = true};
    loop_.watch(fd_.get(), interest_, *this);
}

WatchedDescriptor::~WatchedDescriptor() {
    loop_.unwatch(fd_.get());
}

void WatchedDescriptor::on_ready(Readiness readiness) noexcept {
    // After a hang-up no new edge may come, and urgent data can end a read early: read until EAGAIN
    // or 0.
    if (readiness.hup || readiness.urgent) drained_by_short_read_ = false;
    if (!edge_) {
        interest_.read = interest_.read && !readiness.readable;
        interest_.write = interest_.write && !readiness.writable;
        loop_.selector().modify(fd_.get(), interest_);
    }
    if (readiness.readable) readable_.set();
    if (readiness.writable) writable_.set();
}

void WatchedDescriptor::want(Interest wanted) {
    interest_.read = interest_.read || wanted.read;
    interest_.write = interest_.write || wanted.write;
    loop_.selector().modify(fd_.get(), interest_);
}

IoWait WatchedDescriptor::wait_readable() {
    if (!edge_ && !readable_.is_ready()) want({.read = true});
    return readable_.wait();
}

IoWait WatchedDescriptor::wait_writable() {
    if (!edge_ && !writable_.is_ready()) want({.write = true});
    return writable_.wait();
}

IoResult WatchedDescriptor::note_read(std::ptrdiff_t result, std::size_t room) {
    if (result >= 0) {
        const auto count = static_cast<std::size_t>(result);
        // The next bytes bring a new edge, so this saves a call that would find nothing.
        if (count < room && drained_by_short_read_) readable_.clear();
        return count;
    }
    if (says_not_now(errno)) readable_.clear();
    return std::unexpected(std::error_code(errno, std::system_category()));
}

IoResult WatchedDescriptor::note_write(std::ptrdiff_t result) {
    if (result >= 0) return static_cast<std::size_t>(result);
    if (says_not_now(errno)) writable_.clear();
    return std::unexpected(std::error_code(errno, std::system_category()));
}

Co<FileDescriptor> WatchedDescriptor::accept_descriptor(SocketAddress& peer) {
    int refused = 0;
    for (;;) {
        // A flood of connections must not keep the loop's other tasks from running.
        if (accepts_.is_over()) co_await yield_now();
        peer = SocketAddress();
        FileDescriptor fd(
            ::accept4(fd_.get(), peer.get(), &peer.size(), SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (fd) co_return fd;
        const int error = errno;
        if (says_not_now(error)) {
            accepts_.restart();
            readable_.clear();
            co_await wait_readable();
        } else if (is_out_of_resources(error)) {
            co_await sleep(kAcceptPause);
        } else if (is_of_one_connection(error)) {
            if (++refused > kRefusedAcceptsMax) co_await sleep(kAcceptPause);
        } else if (error != EINTR) {
            throw IoError("cannot accept a connection",
                          std::error_code(error, std::system_category()));
        }
    }
}

IoResult SocketTransport::read(std::span<char> room) {
    if (!may_read()) {
        return std::unexpected(std::make_error_code(std::errc::operation_would_block));
    }
    for (;;) {
        const ssize_t result = ::recv(fd_.get(), room.data(), room.size(), 0);
        if (result < 0 && errno == EINTR) continue;
        return note_read(result, room.size());
    }
}

IoResult SocketTransport::write(std::string_view bytes) {
    for (;;) {
        // MSG_NOSIGNAL: a closed peer is an error of the call (EPIPE), not a signal that ends the
        // process.
        const ssize_t result = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (result < 0 && errno == EINTR) continue;
        return note_write(result);
    }
}

IoResult SocketTransport::send_file(int file, std::uint64_t offset, std::size_t count) {
    for (;;) {
        auto position = static_cast<off_t>(offset);
        const ssize_t result = ::sendfile(fd_.get(), file, &position, count);
        if (result < 0 && errno == EINTR) continue;
        return note_write(result);
    }
}

void SocketTransport::shutdown_write() {
    ::shutdown(fd_.get(), SHUT_WR);
}

// EINPROGRESS is not a failure. Once the socket is writable, SO_ERROR holds the result (A2).
Co<> SocketTransport::connect(SocketAddress address, std::string whom) {
    writable_.clear();
    const auto try_once = [&] {
        return ::connect(fd_.get(), address.get(), address.size()) == 0 ? 0 : errno;
    };
    int error = try_once();
    // The listener's backlog is full. The kernel has begun nothing and will report nothing, so it
    // is asked again (unix(7)). For other families EAGAIN is a failure.
    while (error == EAGAIN && address.get()->sa_family == AF_UNIX) {
        co_await sleep(kConnectPause);
        error = try_once();
    }
    if (error == EINPROGRESS || error == EINTR) {
        co_await wait_writable();
        socklen_t size = sizeof error;
        if (getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    }
    if (error != 0) {
        throw IoError(fmt::format("cannot connect to {}", whom),
                      std::error_code(error, std::system_category()));
    }
}

}  // namespace weft::aio::detail
