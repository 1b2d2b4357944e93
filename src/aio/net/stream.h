#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "aio/net/buffer.h"
#include "aio/net/transport.h"
#include "aio/task/co.h"

namespace weft::aio {

class File;
class TlsContext;
class TlsTransport;
struct TlsClientSession;

// A task whose peer is as fast as we are never has to wait. It lets the other tasks run each time
// it has read or written this much.
inline constexpr std::size_t kBytesPerTurnMax = 256 * 1024;

// Each call counts as at least this much, as calls that move single bytes take time too.
inline constexpr std::size_t kBytesPerCallMin = 1024;

// A connection with reads that wait and writes with back-pressure.
//
// It owns its transport, on the loop's thread. One task may read and one may write at a time; the
// loop resumes a waiting task when the connection is ready. No call has a deadline of its own: put
// it under timeout() or wait_for(). After a cancelled read, a later read sees all bytes. A
// cancelled write may have sent a part: then is_broken() is true and the stream should only be
// closed.
//
// When one task closes the stream, the reads and writes of other tasks end with IoError
// (operation_canceled), and so does every later one. The destructor closes at once; the stream must
// outlive the calls in progress.
//
// Reads throw IoError if the connection fails; the end of the stream is a value. Writes throw
// IoError.
class Stream {
public:
    explicit Stream(std::unique_ptr<Transport> transport) noexcept;
    ~Stream();
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;

    // Reads what is available, at least one byte; 0 at the end of the stream.
    Co<std::size_t> read_some(std::span<char> room);

    // Reads exactly `count` bytes, or throws IncompleteReadError with what came, which stays in the
    // buffer.
    Co<std::string> readexactly(std::size_t count);

    // Reads up to and including `separator`. Throws LimitOverrunError if it does not come within
    // `limit` bytes, IncompleteReadError if the peer closes before.
    Co<std::string> readuntil(std::string_view separator, std::size_t limit);

    // Reads a line with its '\n'. The last line may lack it; "" at the end of the stream.
    Co<std::string> readline(std::size_t limit);

    // Reads everything until the end of the stream. Throws LimitOverrunError if it is more than
    // `limit` bytes.
    Co<std::string> read(std::size_t limit);

    // Whether the peer has ended its stream and all of it was read.
    bool at_eof() const { return ended_ && buffer_.empty(); }

    // For parsers: the bytes that were read but not consumed. fill() waits for more and returns
    // false at the end of the stream. consume() and fill() invalidate the view.
    std::string_view buffered() const { return buffer_.view(); }
    void consume(std::size_t count) { buffer_.consume(count); }
    Co<bool> fill();

    // Returns when the transport has taken everything; `bytes` must live until then.
    Co<> write(std::string_view bytes);

    // Writes `count` bytes of `file` from `offset` on, or what there is; returns how many it wrote.
    // On a plain socket the kernel moves the bytes (sendfile), otherwise they are read and written
    // in blocks. Reading the file blocks the loop.
    Co<std::uint64_t> sendfile(File& file, std::uint64_t offset = 0,
                               std::uint64_t count = UINT64_MAX);

    // The peer reads our end of the stream after everything that was written; reading goes on. A
    // TLS session whose connection takes nothing now sends the end as soon as it can.
    void write_eof() { open_transport().shutdown_write(); }

    // Turns the connection into a TLS session: does the handshake, then reads and writes go through
    // TLS. Throws TlsError or IoError if the handshake fails, and TlsError before the handshake
    // if unencrypted bytes are in the buffer: an attacker may have sent them. The stream is then
    // closed. During the handshake it behaves as if closed; close() ends the handshake.
    Co<> start_tls(std::shared_ptr<TlsContext> context, TlsClientSession session);

    // An orderly end: sends our end (with TLS: close_notify), reads and drops what the peer still
    // sends until its own end, then closes. Never throws IoError. Put it under a deadline, as the
    // peer decides how long it takes.
    Co<> close_gracefully();

    // Closes at once; the peer may see a reset.
    void close() noexcept;
    bool is_closed() const { return !transport_; }
    bool is_broken() const { return broken_; }

    // These throw IoError after close().
    Transport& transport() { return open_transport(); }
    Endpoint peer() const { return open_transport().peer(); }
    Endpoint local() const { return open_transport().local(); }

    // For an upgrade to TLS: takes the bare transport out and leaves the stream closed.
    // REQUIRES: buffered() is empty.
    std::unique_ptr<Transport> detach();

private:
    Transport& open_transport() const {
        if (!transport_) throw_closed();
        return *transport_;
    }
    [[noreturn]] static void throw_closed();

    Co<std::uint64_t> send_in_kernel(File& file, std::uint64_t offset, std::uint64_t count);

    bool fill_now();

    // Counts bytes that were moved without a wait. Returns true when the task should let others
    // run.
    bool ends_turn(std::size_t count) {
        turn_bytes_ += static_cast<std::uint32_t>(std::max(count, kBytesPerCallMin));
        if (turn_bytes_ < kBytesPerTurnMax) return false;
        turn_bytes_ = 0;
        return true;
    }

    std::unique_ptr<Transport> transport_;
    std::unique_ptr<TlsTransport> upgrading_;  // During start_tls().
    Buffer buffer_;
    std::uint32_t turn_bytes_ = 0;
    bool broken_ = false;
    bool ended_ = false;
};

// Connects to exactly this endpoint on the running loop's network. Throws IoError. No deadline of
// its own. If it is cancelled, the socket is closed.
Co<Stream> connect(Endpoint endpoint);

}  // namespace weft::aio
