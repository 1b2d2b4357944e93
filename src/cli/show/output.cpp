#include "cli/show/output.h"

#include <cerrno>
#include <cstdio>
#include <iostream>  // tidy: allow banned-include: CLI11 writes its help there
#include <system_error>

#include <fcntl.h>  // tidy: allow banned-include: asks whether an output is open
#include <fmt/format.h>
#include <poll.h>  // tidy: allow banned-include: a look that does not wait

#include "cli/show/exit_status.h"

namespace weft::cli {

namespace {

// Whether standard output is closed, or a pipe whose reader has left.
bool has_no_reader() {
    const int fd = fileno(stdout);
    if (fd < 0 || ::fcntl(fd, F_GETFD) < 0) return true;
    pollfd look{.fd = fd, .events = 0, .revents = 0};
    // tidy: allow banned-call: it does not wait.
    return ::poll(&look, 1, 0) == 1 && (look.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

int end_output(int status) {
    std::cout.flush();  // CLI11 writes its help there.
    // So that `error` below can only come from fflush().
    errno = 0;
    const bool is_written = std::fflush(stdout) == 0;
    const int error = is_written ? 0 : errno;
    if (is_written && !std::ferror(stdout) && std::cout.good()) return status;
    if (has_no_reader()) return status;
    fmt::print(stderr, "weft: error: cannot write all of the output: {}\n",
               error != 0 ? std::generic_category().message(error)
                          : "standard output does not take it; is its disk full?");
    return status == exit_done ? exit_file : status;
}

}  // namespace weft::cli
