#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "aio/loop/io_waiter.h"
#include "aio/net/endpoint.h"

namespace weft::aio {

// The number of bytes moved now, or why none: would_block() distinguishes "not now" from a failure.
// A read of 0 bytes is the peer's end of the stream.
using IoResult = std::expected<std::size_t, std::error_code>;

inline bool would_block(const IoResult& result) {
    return !result && result.error() == std::errc::operation_would_block;
}

// A two-way stream of bytes: a socket, a TLS session over another transport, or one end of a
// simulated connection. Non-blocking: each call does what can be done now. On one loop's thread.
//
// To read: call read(); if it would block, co_await until_readable() and call again. Writing works
// the same way. A layer returns data of its own buffer before it says would_block, so this never
// stalls. The destructor closes at once, and a wait in progress ends with IoError.
class Transport {
public:
    virtual ~Transport() = default;

    virtual IoResult read(std::span<char> room) = 0;
    virtual IoResult write(std::string_view bytes) = 0;

    // Sends up to `count` bytes of an open file without copying them, if the transport supports it;
    // otherwise operation_not_supported. 0: the file has ended.
    virtual IoResult send_file(int, std::uint64_t, std::size_t) {
        return std::unexpected(std::make_error_code(std::errc::operation_not_supported));
    }

    // Wait until the read (or write) that would block may succeed. One waiter per direction.
    virtual IoWait until_readable() = 0;
    virtual IoWait until_writable() = 0;

    // Ends writing: the peer reads our end of the stream. Reading goes on.
    virtual void shutdown_write() = 0;

    // The same for an orderly close: would_block if the end could not be sent yet.
    virtual IoResult try_shutdown_write() {
        shutdown_write();
        return 0;
    }

    virtual Endpoint local() const = 0;
    virtual Endpoint peer() const = 0;

    // The name of the peer, for messages.
    virtual std::string peer_name() const { return peer().to_string(); }
};

}  // namespace weft::aio
