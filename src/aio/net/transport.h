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

// Bytes moved now, or why none: would_block() tells "not now" from a failure. A read of 0 bytes is
// the peer's end of stream.
using IoResult = std::expected<std::size_t, std::error_code>;

inline bool would_block(const IoResult& result) {
    return !result && result.error() == std::errc::operation_would_block;
}

// A two-way stream of bytes: a socket, a TLS session over another transport, or one end of a
// simulated connection. Non-blocking: each call does what can be done now.
//
// The way to read: call read(); if it would block, co_await until_readable() and call again. So too
// for writing. Data that a layer holds in its own buffer is given before would_block, so this never
// stalls. Destroyed, it closes at once, and a wait under way ends in IoError.
class Transport {
public:
    virtual ~Transport() = default;

    virtual IoResult read(std::span<char> room) = 0;
    virtual IoResult write(std::string_view bytes) = 0;

    // Sends up to `count` bytes of an open file without copying them, where the transport can do
    // that; else operation_not_supported. 0: the file has no more.
    virtual IoResult send_file(int, std::uint64_t, std::size_t) {
        return std::unexpected(std::make_error_code(std::errc::operation_not_supported));
    }

    // Until the last read (write) that would block may succeed. One waiter a direction.
    virtual IoWait until_readable() = 0;
    virtual IoWait until_writable() = 0;

    // No more writes: the peer reads our end of stream. Reading goes on.
    virtual void shutdown_write() = 0;

    // The same, for an orderly close: would_block when the end could not be sent yet.
    virtual IoResult try_shutdown_write() {
        shutdown_write();
        return 0;
    }

    virtual Endpoint local() const = 0;
    virtual Endpoint peer() const = 0;

    // Who is at the other end, for messages.
    virtual std::string peer_name() const { return peer().to_string(); }
};

}  // namespace weft::aio
