#include "aio/files/enclosed_files.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aio/files/directory.h"
#include "aio/files/open_beneath.h"
#include "aio/task/errors.h"
#include "base/escape.h"

namespace weft::aio {
namespace {

constexpr mode_t kFolderMode = 0777;
constexpr std::size_t kEntryCountMax = 1'000'000;  // The limit of list().

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view why) {
    throw IoError(fmt::format("{} {}", escape_for_terminal(path.string()), why),
                  std::make_error_code(std::errc::not_supported));
}

// The kernel's message for a link would be "too many levels of symbolic links", which explains
// nothing.
[[noreturn]] void fail(std::string_view what, const std::filesystem::path& path) {
    if (errno == ELOOP) {
        refuse(path, "is, or lies behind, a symbolic link, and none is followed in this folder");
    }
    throw_errno(fmt::format("cannot {} {}", what, path.string()));
}

int flags_of(OpenMode mode) {
    switch (mode) {
        case OpenMode::read: return O_RDONLY;
        case OpenMode::create: return O_RDWR | O_CREAT | O_EXCL | O_APPEND;
        case OpenMode::append: return O_RDWR | O_CREAT | O_APPEND;
    }
    std::unreachable();
}

}  // namespace

std::string path_inside(const std::filesystem::path& root, const std::filesystem::path& path) {
    // The comparison is by text, so ".." is resolved before; links are refused later, by the
    // kernel.
    const std::string inner =
        path.lexically_normal().lexically_relative(root.lexically_normal()).string();
    if (inner.empty() || inner == ".." || inner.starts_with("../") || inner.contains('\0')) {
        refuse(path, fmt::format("does not lie in {}", escape_for_terminal(root.string())));
    }
    return inner == "." ? "" : inner;
}

EnclosedFiles::EnclosedFiles(const Path& root)
    // O_PATH: the folder is only a starting point, so permission to read it is not needed.
    : root_(root), fd_(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!fd_) throw_errno(fmt::format("cannot open the folder {}", root.string()));
}

// The descriptor would go on writing into a folder that now has another name, or none. Messages and
// everything else that uses the name would be wrong (H88).
void EnclosedFiles::check_place(std::string_view what, const Path& path) const {
    struct stat named;
    struct stat opened;
    if (::stat(root_.c_str(), &named) != 0 || ::fstat(fd_.get(), &opened) != 0) fail(what, path);
    if (named.st_dev != opened.st_dev || named.st_ino != opened.st_ino) {
        refuse(root_, "is another folder now than when it was opened");
    }
}

EnclosedFiles::Spot EnclosedFiles::spot_of(const Path& path) const {
    const std::string inner = path_inside(root_, path);
    const std::size_t slash = inner.rfind('/');
    const bool is_top = slash == std::string::npos;
    Spot spot{open_beneath(fd_.get(), is_top ? "" : inner.substr(0, slash), O_PATH | O_DIRECTORY,
                           Links::none),
              inner.substr(is_top ? 0 : slash + 1)};
    return spot;
}

// An existing entry must be a regular file, as opening a pipe or a device can have effects of its
// own.
FileDescriptor EnclosedFiles::open_file(const Path& path, int flags) const {
    if ((flags & O_CREAT) != 0) check_place("open", path);
    const Spot spot = spot_of(path);
    if (!spot.parent) fail("open", path);
    struct stat status;
    const auto check = [&](int result) {
        if (result != 0) return;
        if (S_ISLNK(status.st_mode)) {
            errno = ELOOP;
            fail("open", path);
        }
        if (!S_ISREG(status.st_mode)) refuse(path, "is no regular file");
    };
    // Checked before the open for that reason, and again on the descriptor, as the entry may be
    // replaced in between.
    check(::fstatat(spot.parent.get(), spot.name.c_str(), &status, AT_SYMLINK_NOFOLLOW));
    FileDescriptor fd(::openat(spot.parent.get(), spot.name.c_str(),
                               // O_NONBLOCK: a pipe put there in between must not block the open.
                               flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                               kNewFileMode));
    if (!fd) fail("open", path);
    check(::fstat(fd.get(), &status));
    return fd;
}

std::unique_ptr<File> EnclosedFiles::open(const Path& path, OpenMode mode) {
    return adopt_file(open_file(path, flags_of(mode)), path.string());
}

bool EnclosedFiles::exists(const Path& path) {
    const Spot spot = spot_of(path);
    if (!spot.parent) return false;
    struct stat status;
    // The root itself has no name in its parent; "." is an entry of it.
    const std::string& name = spot.name.empty() ? "." : spot.name;
    return ::fstatat(spot.parent.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

void EnclosedFiles::create_directories(const Path& path) {
    check_place("make the directory", path);
    const std::string inner = path_inside(root_, path);
    // Each step is opened beneath the root again, so none can lead through a link.
    for (std::size_t end = 0; end != std::string::npos && !inner.empty();) {
        end = inner.find('/', end + 1);
        const Spot spot = spot_of(root_ / inner.substr(0, end));
        const bool is_made =
            spot.parent &&
            (::mkdirat(spot.parent.get(), spot.name.c_str(), kFolderMode) == 0 || errno == EEXIST);
        if (!is_made) fail("make the directory", path);
    }
    // EEXIST above may also mean a file or a link: only a directory passes here.
    if (!open_beneath(fd_.get(), inner, O_PATH | O_DIRECTORY, Links::none)) {
        fail("make the directory", path);
    }
}

void EnclosedFiles::rename(const Path& from, const Path& to) {
    check_place("rename", from);
    const Spot source = spot_of(from);
    if (!source.parent) fail("rename", from);
    const Spot target = spot_of(to);
    if (!target.parent) fail("rename", to);
    // renameat() does not follow a link as its last component: it renames the link itself.
    if (::renameat(source.parent.get(), source.name.c_str(), target.parent.get(),
                   target.name.c_str()) != 0) {
        throw_errno(fmt::format("cannot rename {} to {}", from.string(), to.string()));
    }
}

void EnclosedFiles::remove(const Path& path) {
    const Spot spot = spot_of(path);
    if (!spot.parent) {
        if (errno == ENOENT) return;
        fail("remove", path);
    }
    if (::unlinkat(spot.parent.get(), spot.name.c_str(), 0) == 0 || errno == ENOENT) return;
    if (errno == EISDIR && ::unlinkat(spot.parent.get(), spot.name.c_str(), AT_REMOVEDIR) == 0) {
        return;  // An empty folder.
    }
    fail("remove", path);
}

std::vector<std::string> EnclosedFiles::list(const Path& directory) {
    const FileDescriptor fd =
        open_beneath(fd_.get(), path_inside(root_, directory), O_RDONLY | O_DIRECTORY, Links::none);
    const Directory opened = open_directory(fd);
    if (!opened) fail("list", directory);
    std::vector<std::string> names;
    while (const dirent* entry = next_entry(opened)) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (names.size() == kEntryCountMax) refuse(directory, "holds too many files");
        names.emplace_back(name);
    }
    if (errno != 0) fail("list", directory);
    std::ranges::sort(names);
    return names;
}

void EnclosedFiles::sync_directory(const Path& directory) {
    check_place("sync the directory", directory);
    const FileDescriptor fd =
        open_beneath(fd_.get(), path_inside(root_, directory), O_RDONLY | O_DIRECTORY, Links::none);
    if (!fd || ::fsync(fd.get()) != 0) fail("sync the directory", directory);
}

std::unique_ptr<FileLock> EnclosedFiles::try_lock(const Path& path) {
    return lock_file(open_file(path, O_RDWR | O_CREAT), path.string());
}

std::unique_ptr<FileSystem> EnclosedFiles::inside(const Path& root) {
    // This object already refuses links, so comparing paths is enough for a folder inside it.
    return std::make_unique<EnclosedView>(*this, root);
}

std::string EnclosedFiles::identity(const Path& folder) {
    return path_inside(root_, folder).empty() ? SystemFiles().identity(root_) : "";
}

EnclosedView::EnclosedView(FileSystem& files, Path root) : files_(files), root_(std::move(root)) {
    if (!files_.exists(root_)) {
        throw IoError(fmt::format("cannot open the folder {}", root_.string()),
                      std::make_error_code(std::errc::no_such_file_or_directory));
    }
}

const FileSystem::Path& EnclosedView::checked(const Path& path) const {
    static_cast<void>(path_inside(root_, path));
    return path;
}

std::unique_ptr<File> EnclosedView::open(const Path& path, OpenMode mode) {
    return files_.open(checked(path), mode);
}

bool EnclosedView::exists(const Path& path) {
    return files_.exists(checked(path));
}

void EnclosedView::create_directories(const Path& path) {
    files_.create_directories(checked(path));
}

void EnclosedView::rename(const Path& from, const Path& to) {
    files_.rename(checked(from), checked(to));
}

void EnclosedView::remove(const Path& path) {
    files_.remove(checked(path));
}

std::vector<std::string> EnclosedView::list(const Path& directory) {
    return files_.list(checked(directory));
}

void EnclosedView::sync_directory(const Path& directory) {
    files_.sync_directory(checked(directory));
}

std::unique_ptr<FileLock> EnclosedView::try_lock(const Path& path) {
    return files_.try_lock(checked(path));
}

std::string EnclosedView::identity(const Path& folder) {
    return files_.identity(checked(folder));
}

}  // namespace weft::aio
