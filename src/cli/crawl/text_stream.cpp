#include "cli/crawl/text_stream.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>  // tidy: allow banned-include: on a thread of its own
#include <unistd.h>

#include "base/units.h"

namespace weft::cli {
namespace {

constexpr std::size_t kPieceBytes = 64_KiB;
// A pipe that poll() calls writable takes this much without blocking (PIPE_BUF).
constexpr std::size_t kWriteBytes = 4_KiB;
constexpr int kPollMilliseconds = 100;

// False: the reader is gone, or `is_ending`.
bool write_all(int fd, std::string_view bytes, const std::atomic<bool>& is_ending) {
    std::size_t written = 0;
    while (written < bytes.size() && !is_ending) {
        pollfd ready{.fd = fd, .events = POLLOUT, .revents = 0};
        // tidy: allow banned-call: on a thread of its own, and for a moment at most.
        const int count = ::poll(&ready, 1, kPollMilliseconds);
        if (count < 0 && errno != EINTR) break;
        if (count <= 0) continue;
        if ((ready.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) break;
        const std::string_view next = bytes.substr(written, kWriteBytes);
        // tidy: allow banned-call: standard output is no file of aio, and poll() found room.
        const ssize_t size = ::write(fd, next.data(), next.size());
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (size < 0) break;
        written += static_cast<std::size_t>(size);
    }
    return written == bytes.size();
}

}  // namespace

TextStream::TextStream(crawl::TextLog& log, int fd)
    : log_(log), fd_(fd), sent_size_(log.committed_size()) {}

TextStream::~TextStream() {
    is_ending_ = true;
}

aio::Co<> TextStream::run(std::function<void()> on_gone) {
    for (;;) {
        log_.grown().clear();
        co_await send();
        if (!has_reader_) {
            on_gone();
            co_return;
        }
        if (is_last_) co_return;
        co_await log_.grown().wait();
    }
}

void TextStream::end() {
    is_last_ = true;
    log_.grown().set();
}

aio::Co<> TextStream::send() {
    while (has_reader_ && sent_size_ < log_.committed_size()) {
        const auto size = static_cast<std::size_t>(
            std::min<std::uint64_t>(kPieceBytes, log_.committed_size() - sent_size_));
        // If this is cancelled, the destructor ends the job and waits for it.
        has_reader_ = co_await aio::run_in(thread_, [this, size] {
            std::string piece(size, '\0');
            piece.resize(log_.read_at(sent_size_, piece));
            return !piece.empty() && write_all(fd_, piece, is_ending_);
        });
        sent_size_ += size;
    }
}

}  // namespace weft::cli
