#include "cli/show/terminal_guard.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "cli/fetch/fetch_output.h"

namespace weft::cli {
namespace {

// The incomplete character at the end of the last piece.
std::string unfinished;

ssize_t write_tamely(void*, const char* bytes, std::size_t size) {
    const std::string text = std::exchange(unfinished, {}) + std::string(bytes, size);
    const std::string tame = tame_for_terminal(text, unfinished);
    for (std::string_view rest = tame; !rest.empty();) {
        // tidy: allow banned-call: this is what stdout is made of.
        const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) return 0;  // The failure value of fopencookie().
        if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return static_cast<ssize_t>(size);
}

}  // namespace

void guard_terminal() {
    if (isatty(STDOUT_FILENO) == 0) return;
    std::fflush(stdout);
    // All output functions write to `stdout`, so replacing it guards all of them.
    std::FILE* guarded = fopencookie(
        nullptr, "w", {.read = nullptr, .write = write_tamely, .seek = nullptr, .close = nullptr});
    if (guarded) stdout = guarded;
}

}  // namespace weft::cli
