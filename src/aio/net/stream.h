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

// A task that never has to wait for its peer, because that is as fast as we are, lets the others
// run each time it has read or written this much.
inline constexpr std::size_t kBytesPerTurnMax = 256 * 1024;

// What a call counts at least, as calls that move single bytes take their time too.
inline constexpr std::size_t kBytesPerCallMin = 1024;

// A connection as a program wants it: reads that wait, writes with back-pressure.
//
// Owns its transport. One task reads and one task writes at a time; a waiting one is resumed by the
// loop when the connection is ready. No call has a deadline of its own: put it under timeout() or
// wait_for(). A cancelled read has consumed nothing that a later read will not see. A cancelled
// write may have sent a part: is_broken() is then true and only closing makes sense.
//
// Closed by one task, the reads and writes of others end in IoError (operation_canceled), and so
// does every later one. Destroyed, the stream closes at once: it must outlive the calls under way.
//
// Reads throw IoError when the connection fails; the end of the stream is a value. Writes throw
// IoError.
class Stream {
public:
    explicit Stream(std::unique_ptr<Transport> transport) noexcept;
    ~Stream();
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;

    // What is there now, at least one byte; 0 at the end of the stream.
    Co<std::size_t> read_some(std::span<char> room);

    // Exactly `count` bytes, or IncompleteReadError with what came, which stays to be read.
    Co<std::string> readexactly(std::size_t count);

    // Up to and with `separator`. LimitOverrunError if it does not come within `limit` bytes;
    // IncompleteReadError if the peer closes before.
    Co<std::string> readuntil(std::string_view separator, std::size_t limit);

    // A line with its '\n'; the last one may lack it; "" at the end of the stream.
    Co<std::string> readline(std::size_t limit);

    // All until the end of the stream. LimitOverrunError past `limit` bytes.
    Co<std::string> read(std::size_t limit);

    // The peer has ended its stream and all of it was read.
    bool at_eof() const { return ended_ && buffer_.empty(); }

    // For parsers: bytes read but not consumed; fill() waits for more, false at the end of stream.
    // consume() and fill() end the view.
    std::string_view buffered() const { return buffer_.view(); }
    void consume(std::size_t count) { buffer_.consume(count); }
    Co<bool> fill();

    // Returns when the transport has taken all of it; `bytes` must live until then.
    Co<> write(std::string_view bytes);

    // Writes a part of `file`, from `offset` on, `count` bytes or what there is; gives how many it
    // wrote. On a plain socket the kernel moves the bytes (sendfile), else they are read and
    // written in blocks. Reading the file blocks, as files do.
    Co<std::uint64_t> sendfile(File& file, std::uint64_t offset = 0,
                               std::uint64_t count = UINT64_MAX);

    // The peer reads our end of stream, behind all that was written; reading goes on. A TLS session
    // whose connection takes nothing now sends it as soon as it does.
    void write_eof() { open_transport().shutdown_write(); }

    // Turns the connection into a TLS session: the handshake is driven to its end, then reads and
    // writes go through it. Throws TlsError, IoError; the stream is then closed. TlsError also when
    // bytes that were not encrypted have been received already: they may be an attacker's. Until
    // then the stream is as if closed; close() ends the handshake.
    Co<> start_tls(std::shared_ptr<TlsContext> context, TlsClientSession session);

    // An orderly end: sends ours (with TLS: close_notify), reads and drops what the peer still
    // sends until its own end, then closes. Never throws IoError; put it under a deadline, as the
    // peer may take its time.
    Co<> close_gracefully();

    // At once; the peer may see a reset.
    void close() noexcept;
    bool is_closed() const { return !transport_; }
    bool is_broken() const { return broken_; }

    // These throw IoError once closed.
    Transport& transport() { return open_transport(); }
    Endpoint peer() const { return open_transport().peer(); }
    Endpoint local() const { return open_transport().local(); }

    // For an upgrade to TLS: the bare transport, and the stream is closed.
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

    // Called with what was moved without a wait: true when it is time to let others run.
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
// its own. Cancelled, nothing is left of it.
Co<Stream> connect(Endpoint endpoint);

}  // namespace weft::aio
