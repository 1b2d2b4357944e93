#include "cli/show/standard_streams.h"

#include <cerrno>

#include <poll.h>  // tidy: allow banned-include: a look that does not wait

namespace weft::cli {

void say(std::FILE* stream, std::string_view text) {
    // POLLOUT on a pipe means room for at least one page, so a line does not block.
    pollfd wish{.fd = fileno(stream), .events = POLLOUT, .revents = 0};
    // tidy: allow banned-call: it does not wait.
    if (::poll(&wish, 1, 0) != 1 || (wish.revents & POLLOUT) == 0) return;
    say_all(stream, text);
}

void say_all(std::FILE* stream, std::string_view text) {
    // A signal may interrupt the write. The C library then reports an error, and keeps what it has
    // not written yet.
    const auto was_interrupted = [stream] {
        if (errno != EINTR) return false;
        std::clearerr(stream);
        return true;
    };
    for (errno = 0; !text.empty(); errno = 0) {
        text.remove_prefix(std::fwrite(text.data(), 1, text.size(), stream));
        if (!text.empty() && !was_interrupted()) return;
    }
    while (std::fflush(stream) != 0 && was_interrupted()) errno = 0;
}

}  // namespace weft::cli
