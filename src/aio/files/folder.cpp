#include "aio/files/folder.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aio/files/directory.h"
#include "aio/files/open_beneath.h"
#include "aio/task/errors.h"

namespace weft::aio {
namespace {

// For a visitor all of these mean that there is nothing here. EXDEV and ELOOP: a path or link leads
// outside.
bool is_absence(int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR:
        case EACCES:
        case EPERM:
        case EXDEV:
        case ELOOP:
        case ENAMETOOLONG:
        case ENXIO:  // A pipe or socket without a process at the other end.
        case EINVAL: return true;
        default: return false;
    }
}

std::optional<Folder::Kind> kind_of(const struct stat& status) {
    if (S_ISREG(status.st_mode)) return Folder::Kind::file;
    if (S_ISDIR(status.st_mode)) return Folder::Kind::folder;
    return std::nullopt;
}

WallTime modified_of(const struct stat& status) {
    // A file's time may be in any year, but a WallTime covers only 1678 to 2261.
    constexpr std::int64_t kMost = 9'200'000'000;
    const std::int64_t seconds = std::clamp<std::int64_t>(status.st_mtim.tv_sec, -kMost, kMost);
    return WallTime(std::chrono::seconds(seconds) +
                    std::chrono::nanoseconds(status.st_mtim.tv_nsec));
}

}  // namespace

Folder::Folder(const std::filesystem::path& path)
    : fd_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!fd_) throw_errno(fmt::format("cannot open the folder {}", path.string()));
}

// Empty if it fails; errno says why.
FileDescriptor Folder::open_inside(const std::string& path, int flags) const {
    return open_beneath(fd_.get(), path, flags, Links::inside);
}

std::optional<Folder::Opened> Folder::open(const std::string& path) const {
    if (path.contains('\0')) return std::nullopt;
    // Without O_NONBLOCK the open of a pipe would block until another process opens it for writing.
    FileDescriptor fd = open_inside(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!fd) {
        if (is_absence(errno)) return std::nullopt;
        throw_errno(fmt::format("cannot open {}", path));
    }
    struct stat status;
    if (::fstat(fd.get(), &status) != 0) throw_errno(fmt::format("cannot stat {}", path));
    const std::optional<Kind> kind = kind_of(status);
    if (!kind) return std::nullopt;
    Opened opened{.kind = *kind,
                  .size_bytes = static_cast<std::uint64_t>(status.st_size),
                  .modified = modified_of(status),
                  .inode = status.st_ino,
                  .file = nullptr};
    if (*kind == Kind::file) opened.file = adopt_file(std::move(fd), path);
    return opened;
}

// Step by step, so that each folder on the way is opened without following a link.
std::unique_ptr<File> Folder::create(const std::string& path) const {
    const auto fail = [&] { throw_errno(fmt::format("cannot make {}", path)); };
    FileDescriptor at(::openat(fd_.get(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!at) fail();
    for (std::string_view rest = path;;) {
        const std::size_t slash = rest.find('/');
        const std::string step(rest.substr(0, slash));
        if (step.empty() || step == "." || step == ".." || step.contains('\0')) {
            errno = EXDEV;
            fail();
        }
        if (slash == std::string_view::npos) {
            constexpr int kHow = O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
            FileDescriptor fd(::openat(at.get(), step.c_str(), kHow, 0666));
            if (!fd) fail();
            return adopt_file(std::move(fd), path);
        }
        // An existing folder is fine; if it is a link or a file, the open below fails.
        if (::mkdirat(at.get(), step.c_str(), 0777) != 0 && errno != EEXIST) fail();
        constexpr int kHow = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        at = FileDescriptor(::openat(at.get(), step.c_str(), kHow));
        if (!at) fail();
        rest.remove_prefix(slash + 1);
    }
}

void Folder::remove(const std::string& path) const {
    const std::size_t slash = path.rfind('/');
    const bool has_parent = slash != std::string::npos;
    const FileDescriptor parent =
        open_inside(has_parent ? path.substr(0, slash) : "", O_PATH | O_DIRECTORY);
    if (!parent && is_absence(errno)) return;
    const std::string name = has_parent ? path.substr(slash + 1) : path;
    if (parent && ::unlinkat(parent.get(), name.c_str(), 0) == 0) return;
    if (errno != ENOENT) throw_errno(fmt::format("cannot remove {}", path));
}

std::vector<Folder::Entry> Folder::list(const std::string& path, std::size_t count_max) const {
    const FileDescriptor fd = open_inside(path, O_RDONLY | O_DIRECTORY);
    const Directory directory = open_directory(fd);
    if (!directory) throw_errno(fmt::format("cannot list {}", path));
    std::vector<Entry> entries;
    while (entries.size() < count_max) {
        const dirent* found = next_entry(directory);
        if (!found && errno != 0) throw_errno(fmt::format("cannot list {}", path));
        if (!found) break;
        const std::string_view name = found->d_name;
        if (name == "." || name == "..") continue;
        const std::string inner =
            path.empty() ? std::string(name) : fmt::format("{}/{}", path, name);
        // O_PATH opens links, pipes and devices without their side effects, and without permission
        // to read.
        const FileDescriptor target = open_inside(inner, O_PATH);
        struct stat status;
        if (!target || ::fstat(target.get(), &status) != 0) continue;
        if (const std::optional<Kind> kind = kind_of(status)) {
            entries.push_back({.name = std::string(name),
                               .kind = *kind,
                               .size_bytes = static_cast<std::uint64_t>(status.st_size),
                               .modified = modified_of(status)});
        }
    }
    std::ranges::sort(entries, {}, &Entry::name);
    return entries;
}

}  // namespace weft::aio
