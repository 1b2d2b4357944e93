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

// What sockets and pipes have in common.
namespace weft::aio::detail {

// Descriptors or buffers have run out: later, when others have freed some, the call may succeed.
bool is_out_of_resources(int error);

// Errors of accept() that concern one failed connection, or the network for now: the next accept()
// may succeed. Linux reports errors that are pending on the new socket this way (accept(2)).
bool is_of_one_connection(int error);

// Counts calls that succeed without a wait, so that a task lets the others run from time to time.
class CallTurns {
public:
    // Returns true when it is time to yield.
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
// directions. Lives and dies on the loop's thread.
//
// An edge-triggered selector gets it once, for both directions. With a level-triggered one, a
// direction is watched from the start of a wait until it is ready, so that an idle descriptor does
// not end every select().
class WatchedDescriptor : public IoHandler {
public:
    // `drained_by_short_read`: if a read returns less than it had room for, nothing is left to
    // read.
    explicit WatchedDescriptor(FileDescriptor fd, bool drained_by_short_read = false);
    virtual ~WatchedDescriptor();
    WatchedDescriptor(const WatchedDescriptor&) = delete;
    WatchedDescriptor& operator=(const WatchedDescriptor&) = delete;

    void on_ready(Readiness readiness) noexcept override;

protected:
    IoWait wait_readable();
    IoWait wait_writable();

    // False if a read would certainly find nothing: no event came since the last read found
    // nothing.
    bool may_read() const { return readable_.is_ready() || !edge_; }

    // Interprets the result of a system call that reads or writes; EAGAIN clears the direction.
    IoResult note_read(std::ptrdiff_t result, std::size_t room);
    IoResult note_write(std::ptrdiff_t result);

    // Accepts a connection on a listening socket. If descriptors run out, it waits and tries again.
    Co<FileDescriptor> accept_descriptor(SocketAddress& peer);

    FileDescriptor fd_;
    EventLoop& loop_;
    IoSide readable_;
    IoSide writable_;

private:
    void want(Interest wanted);

    Interest interest_;
    bool edge_;
    // Until a hang-up or urgent data; then reads go on to EAGAIN or 0.
    bool drained_by_short_read_;
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

    // The loop resumes it when the connection is made or has failed. Throws IoError, naming `whom`.
    // If it is cancelled, the socket is in an unknown state and should be closed.
    Co<> connect(SocketAddress address, std::string whom);
};

}  // namespace weft::aio::detail
