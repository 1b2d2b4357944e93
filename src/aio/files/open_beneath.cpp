#include "aio/files/open_beneath.h"

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft::aio {
namespace {

// For kernels without openat2(). O_NOFOLLOW concerns only the last component, so each is opened
// alone.
FileDescriptor open_steps(int start, std::string_view path, int flags, mode_t mode) {
    FileDescriptor at(::openat(start, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    while (at) {
        const std::size_t slash = path.find('/');
        const std::string step(path.substr(0, slash));
        if (step == ".." || step.empty()) {
            errno = EXDEV;
            return {};
        }
        const bool is_last = slash == std::string_view::npos;
        const int how = is_last ? flags : O_PATH | O_DIRECTORY;
        at = FileDescriptor(::openat(at.get(), step.c_str(), how | O_NOFOLLOW | O_CLOEXEC, mode));
        if (is_last) break;
        path.remove_prefix(slash + 1);
    }
    return at;
}

}  // namespace

FileDescriptor open_beneath(int start, const std::string& path, int flags, Links links,
                            mode_t mode) {
    const std::string& inner = path.empty() ? "." : path;
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.mode = flags & O_CREAT ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    if (links == Links::none) how.resolve |= RESOLVE_NO_SYMLINKS;
    for (;;) {
        const long fd = ::syscall(SYS_openat2, start, inner.c_str(), &how, sizeof how);
        if (fd >= 0) return FileDescriptor(static_cast<int>(fd));
        // EAGAIN: a rename happened during the walk (openat2(2)).
        if (errno == EINTR || errno == EAGAIN) continue;
        if (errno != ENOSYS && errno != EPERM) return {};
        return open_steps(start, inner, flags, mode);
    }
}

}  // namespace weft::aio
