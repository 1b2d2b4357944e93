#include "aio/process/pipe.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include "aio/loop/watched_descriptor.h"

namespace weft::aio {
namespace {

// Sockets have MSG_NOSIGNAL; older kernels have nothing like it for pipes. So SIGPIPE is blocked
// during the write and, if the write raised it, consumed.
class HeldSigpipe {
public:
    HeldSigpipe() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
        was_held_ = sigismember(&before_, SIGPIPE) == 1;
        if (!was_held_) return;  // Not blocked before, so none can be pending.
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    }
    ~HeldSigpipe() {
        const int error = errno;
        const timespec at_once{};
        // A SIGPIPE that was pending before belongs to the program and stays.
        if (error == EPIPE && !was_pending_) sigtimedwait(&pipe_, nullptr, &at_once);
        if (!was_held_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }
    HeldSigpipe(const HeldSigpipe&) = delete;
    HeldSigpipe& operator=(const HeldSigpipe&) = delete;

private:
    sigset_t pipe_;
    sigset_t before_;
    bool was_held_ = false;
    bool was_pending_ = false;
};

// RWF_NOSIGNAL of Linux 6.18: one system call instead of three.
constexpr int kNoSignal = 0x100;
std::atomic<bool> kernel_holds_sigpipe = true;

ssize_t write_without_signal(int fd, std::string_view bytes) {
    if (kernel_holds_sigpipe.load(std::memory_order_relaxed)) {
        iovec piece{.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
        const ssize_t result = ::pwritev2(fd, &piece, 1, -1, kNoSignal);
        // Older kernels do not know the flag, and sandboxes may forbid the call.
        const bool is_known = errno != EOPNOTSUPP && errno != ENOSYS && errno != EPERM;
        if (result >= 0 || is_known) return result;
        kernel_holds_sigpipe = false;
    }
    const HeldSigpipe held;
    return ::write(fd, bytes.data(), bytes.size());
}

class PipeTransport final : public Transport, private detail::WatchedDescriptor {
public:
    PipeTransport(FileDescriptor fd, std::string name)
        : WatchedDescriptor(std::move(fd)), name_(std::move(name)) {}

    IoResult read(std::span<char> room) override {
        if (!may_read()) {
            return std::unexpected(std::make_error_code(std::errc::operation_would_block));
        }
        for (;;) {
            const ssize_t result = ::read(fd_.get(), room.data(), room.size());
            if (result < 0 && errno == EINTR) continue;
            // A pipe returns a page at a time, so a short read does not mean that it is empty.
            return note_read(result, 0);
        }
    }

    IoResult write(std::string_view bytes) override {
        for (;;) {
            const ssize_t result = write_without_signal(fd_.get(), bytes);
            if (result < 0 && errno == EINTR) continue;
            return note_write(result);
        }
    }

    IoWait until_readable() override { return wait_readable(); }
    IoWait until_writable() override { return wait_writable(); }
    void shutdown_write() override {}  // Only closing a pipe ends its stream.
    Endpoint local() const override { return {}; }
    Endpoint peer() const override { return {}; }
    std::string peer_name() const override { return name_; }

private:
    std::string name_;
};

}  // namespace

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) throw_errno("cannot make a pipe");
    FileDescriptor read_end(ends[0]);
    FileDescriptor write_end(ends[1]);
    return {adopt_pipe(std::move(read_end), "pipe"), adopt_pipe(std::move(write_end), "pipe")};
}

Stream adopt_pipe(FileDescriptor fd, std::string name) {
    const int flags = ::fcntl(fd.get(), F_GETFL);
    if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) {
        throw_errno(fmt::format("cannot use {}", name));
    }
    return Stream(std::make_unique<PipeTransport>(std::move(fd), std::move(name)));
}

}  // namespace weft::aio
