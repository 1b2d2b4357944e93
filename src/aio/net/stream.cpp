#include "aio/net/stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "aio/files/files.h"
#include "aio/loop/loop.h"
#include "aio/net/network.h"
#include "aio/net/tls.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "base/assert.h"

namespace weft::aio {

namespace {

// With whole blocks of 64 KiB a flood outran its small neighbours (H24).
constexpr std::size_t kBytesPerReadMax = 32 * 1024;

}  // namespace

Stream::Stream(std::unique_ptr<Transport> transport) noexcept : transport_(std::move(transport)) {}
Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

void Stream::close() noexcept {
    transport_.reset();
    upgrading_.reset();
}

Co<bool> Stream::fill() {
    while (!fill_now()) co_await transport_->until_readable();
    // A cancellation here loses nothing: the bytes are in the buffer.
    if (turn_bytes_ >= kBytesPerTurnMax) {
        turn_bytes_ = 0;
        co_await yield_now();
    }
    co_return !ended_;
}

// Reads what is available; returns false if nothing is. Not part of fill(), as every idle
// connection holds the frame of fill().
bool Stream::fill_now() {
    const std::span<char> room = buffer_.room();
    const IoResult result =
        open_transport().read(room.first(std::min(room.size(), kBytesPerReadMax)));
    if (result) {
        buffer_.add(*result);
        turn_bytes_ += static_cast<std::uint32_t>(std::max(*result, kBytesPerCallMin));
        ended_ = *result == 0;
        if (ended_) buffer_.trim();
        return true;
    }
    if (!would_block(result)) {
        throw IoError(fmt::format("cannot read from {}", transport_->peer_name()), result.error());
    }
    buffer_.settle();  // An idle connection holds no memory, a slow one little.
    turn_bytes_ = 0;
    return false;
}

Co<std::size_t> Stream::read_some(std::span<char> room) {
    if (buffer_.empty()) {
        const bool more = co_await fill();
        if (!more) co_return 0;
    }
    const std::size_t count = std::min(room.size(), buffer_.size());
    std::memcpy(room.data(), buffer_.view().data(), count);
    buffer_.consume(count);
    co_return count;
}

Co<std::string> Stream::readexactly(std::size_t count) {
    while (buffer_.size() < count) {
        const bool more = co_await fill();
        if (!more) throw IncompleteReadError(std::string(buffer_.view()), count);
    }
    std::string bytes(buffer_.view().substr(0, count));
    buffer_.consume(count);
    co_return bytes;
}

Co<std::string> Stream::readuntil(std::string_view separator, std::size_t limit) {
    if (separator.empty()) throw InvalidStateError("readuntil() needs a separator");
    std::size_t searched = 0;
    for (;;) {
        const std::size_t found = buffer_.view().find(separator, searched);
        if (found != std::string_view::npos && found + separator.size() <= limit) {
            std::string bytes(buffer_.view().substr(0, found + separator.size()));
            buffer_.consume(bytes.size());
            co_return bytes;
        }
        if (found != std::string_view::npos || buffer_.size() >= limit) {
            throw LimitOverrunError(limit);
        }
        // The separator may be split: its first bytes can be the last of the buffer.
        searched = buffer_.size() - std::min(buffer_.size(), separator.size() - 1);
        const bool more = co_await fill();
        if (!more) throw IncompleteReadError(std::string(buffer_.view()), 0);
    }
}

Co<std::string> Stream::readline(std::size_t limit) {
    try {
        co_return co_await readuntil("\n", limit);
    } catch (const IncompleteReadError& error) {
        // The stream has ended, so what is left is the last line.
        buffer_.consume(buffer_.size());
        co_return error.partial();
    }
}

Co<std::string> Stream::read(std::size_t limit) {
    while (buffer_.size() <= limit) {
        const bool more = co_await fill();
        if (more) continue;
        std::string bytes(buffer_.view());
        buffer_.consume(bytes.size());
        co_return bytes;
    }
    throw LimitOverrunError(limit);
}

Co<> Stream::write(std::string_view bytes) {
    // Until everything is written: a cancelled or failed write leaves half a message, and no later
    // write makes that good.
    const bool was_broken = std::exchange(broken_, true);
    while (!bytes.empty()) {
        const IoResult result = open_transport().write(bytes);
        if (result) {
            bytes.remove_prefix(*result);
            if (ends_turn(*result)) co_await yield_now();
        } else if (would_block(result)) {
            turn_bytes_ = 0;
            co_await transport_->until_writable();
        } else {
            throw IoError(fmt::format("cannot write to {}", transport_->peer_name()),
                          result.error());
        }
    }
    broken_ = was_broken;
}

Co<> Stream::start_tls(std::shared_ptr<TlsContext> context, TlsClientSession session) {
    open_transport();
    if (!buffer_.empty()) {
        TlsError early(TlsFailure::protocol,
                       fmt::format("tls: {}: {} bytes came before the handshake",
                                   transport_->peer_name(), buffer_.size()));
        close();
        throw early;
    }
    upgrading_ = make_tls_client(detach(), std::move(context), std::move(session));
    try {
        while (would_block(upgrading_->try_handshake())) {
            co_await upgrading_->until_readable();
            if (!upgrading_) throw_closed();  // It was closed in the same round.
        }
    } catch (...) {
        upgrading_.reset();
        throw;
    }
    transport_ = std::move(upgrading_);
}

Co<> Stream::close_gracefully() {
    buffer_.consume(buffer_.size());
    try {
        IoResult ended = open_transport().try_shutdown_write();
        while (would_block(ended)) {
            co_await transport_->until_writable();
            ended = open_transport().try_shutdown_write();
        }
        // Reading until the peer's end, as closing a socket with unread bytes sends a reset (RFC
        // 9112, section 9.6).
        for (bool more = ended.has_value(); more; buffer_.consume(buffer_.size())) {
            more = co_await fill();
        }
    } catch (const IoError&) {
        // The peer closed first, or another task closed the stream: nothing is left to do.
    }
    close();
}

std::unique_ptr<Transport> Stream::detach() {
    WEFT_ASSERT(buffer_.empty());
    return std::move(transport_);
}

Co<std::uint64_t> Stream::sendfile(File& file, std::uint64_t offset, std::uint64_t count) {
    std::uint64_t sent = 0;
    if (file.descriptor() >= 0) {
        sent = co_await send_in_kernel(file, offset, count);
        if (sent == count) co_return sent;
    }
    // The kernel could not send it, or the file has ended; in the second case this reads nothing.
    std::string block(std::min<std::uint64_t>(count - sent, Buffer::kBlockBytes), '\0');
    while (sent < count) {
        const std::size_t wanted = std::min<std::uint64_t>(block.size(), count - sent);
        const bool was_broken = std::exchange(broken_, true);  // In case the file fails half-way.
        const std::size_t got = file.read_at(offset + sent, std::span(block).first(wanted));
        broken_ = was_broken;
        if (got == 0) break;
        co_await write(std::string_view(block).substr(0, got));
        sent += got;
    }
    co_return sent;
}

// Returns how much the kernel sent: everything, or as much as the transport supports.
Co<std::uint64_t> Stream::send_in_kernel(File& file, std::uint64_t offset, std::uint64_t count) {
    std::uint64_t sent = 0;
    const bool was_broken = std::exchange(broken_, true);
    while (sent < count) {
        const std::size_t wanted = std::min<std::uint64_t>(count - sent, kBytesPerTurnMax);
        const IoResult result =
            open_transport().send_file(file.descriptor(), offset + sent, wanted);
        if (result) {
            if (*result == 0) break;
            sent += *result;
            if (ends_turn(*result)) co_await yield_now();
        } else if (would_block(result)) {
            turn_bytes_ = 0;
            co_await transport_->until_writable();
        } else if (result.error() == std::errc::operation_not_supported ||
                   // EINVAL: sendfile(2) cannot read this kind of file.
                   result.error() == std::errc::invalid_argument) {
            break;
        } else {
            throw IoError(fmt::format("cannot write to {}", transport_->peer_name()),
                          result.error());
        }
    }
    broken_ = was_broken;
    co_return sent;
}

void Stream::throw_closed() {
    throw IoError("the stream is closed", std::make_error_code(std::errc::operation_canceled));
}

void IoAwaiter::throw_closed() {
    throw IoError("the connection was closed while a task waited for it",
                  std::make_error_code(std::errc::operation_canceled));
}

Co<Stream> connect(Endpoint endpoint) {
    std::unique_ptr<Transport> transport =
        co_await EventLoop::running().network().connect(endpoint);
    co_return Stream(std::move(transport));
}

}  // namespace weft::aio
