#pragma once

#include <cstdint>
#include <string>

#include "aio/files/file_descriptor.h"
#include "aio/loop/selector.h"
#include "aio/net/socket_address.h"
#include "aio/net/transport.h"
#include "aio/task/co.h"

namespace weft::aio {
class EventLoop;
}

// What sockets and pipes share.
namespace weft::aio::detail {

// Of descriptors or buffers: what others free may do later.
bool is_out_of_resources(int error);

// What accept() says of one connection that came to nothing, or of the network for now: the next
// one may do. Linux passes on errors that are waiting on the new socket (accept(2)).
bool is_of_one_connection(int error);

// Lets other tasks run when calls succeed again and again without a wait.
class CallTurns {
public:
    // True when it is time to give way.
    bool is_over() noexcept {
        if (++count_ < kCallsPerTurnMax) return false;
        count_ = 0;
        return true;
    }
    void restart() noexcept { count_ = 0; }

private:
    static constexpr std::uint32_t kCallsPerTurnMax = 64;
    std::uint32_t count_ = 0;
};

// A non-blocking descriptor on the running loop's selector, with what is known of its two
// directions.
//
// Where the selector is edge-triggered it is registered once, for both. Elsewhere a direction is
// watched from the start of a wait until it is ready: an idle one never ends a select().
class WatchedDescriptor : public IoHandler {
public:
    // `drained_by_short_read`: a read of less than there is room for has emptied it.
    explicit WatchedDescriptor(FileDescriptor fd, bool drained_by_short_read = false);
    virtual ~WatchedDescriptor();
    WatchedDescriptor(const WatchedDescriptor&) = delete;
    WatchedDescriptor& operator=(const WatchedDescriptor&) = delete;

    void on_ready(Readiness readiness) noexcept override;

protected:
    IoWait wait_readable();
    IoWait wait_writable();

    // False when a read is known to be in vain: nothing came since the last one found nothing.
    bool may_read() const { return readable_.is_ready() || !edge_; }

    // The outcome of a system call that reads or writes: notes EAGAIN.
    IoResult note_read(std::ptrdiff_t result, std::size_t room);
    IoResult note_write(std::ptrdiff_t result);

    // Accepts on a listening socket; out of descriptors, it waits and tries again.
    Co<FileDescriptor> accept_descriptor(SocketAddress& peer);

    FileDescriptor fd_;
    EventLoop& loop_;
    IoSide readable_;
    IoSide writable_;

private:
    void want(Interest wanted);

    Interest interest_;
    bool edge_;
    bool
        drained_by_short_read_;  // Until a hang-up or urgent data: then reads go on to EAGAIN or 0.
    CallTurns accepts_;
};

// A connected socket of any family, or one about to be.
class SocketTransport : public Transport, protected WatchedDescriptor {
public:
    using WatchedDescriptor::WatchedDescriptor;

    IoResult read(std::span<char> room) override;
    IoResult write(std::string_view bytes) override;
    IoResult send_file(int file, std::uint64_t offset, std::size_t count) override;
    IoWait until_readable() override { return wait_readable(); }
    IoWait until_writable() override { return wait_writable(); }
    void shutdown_write() override;

    // Throws IoError, naming `whom`.
    Co<> connect(SocketAddress address, std::string whom);
};

}  // namespace weft::aio::detail
