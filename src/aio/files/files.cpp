#include "aio/files/files.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aio/files/enclosed_files.h"
#include "aio/files/file_descriptor.h"
#include "aio/task/errors.h"
#include "base/bytes.h"

namespace weft::aio {
namespace {

class SystemFile final : public File {
public:
    SystemFile(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    // O_APPEND puts each write at the end of the file, whatever the position.
    void append(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t n = ::write(fd_.get(), bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw_errno(fmt::format("cannot write {}", path_));
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    std::size_t read_at(std::uint64_t offset, std::span<char> room) override {
        std::size_t done = 0;
        while (done < room.size()) {
            const ssize_t n = ::pread(fd_.get(), room.data() + done, room.size() - done,
                                      static_cast<off_t>(offset + done));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw_errno(fmt::format("cannot read {}", path_));
            if (n == 0) break;
            done += static_cast<std::size_t>(n);
        }
        return done;
    }

    std::uint64_t size() override {
        struct stat status;
        if (::fstat(fd_.get(), &status) != 0) throw_errno(fmt::format("cannot stat {}", path_));
        return static_cast<std::uint64_t>(status.st_size);
    }

    void truncate(std::uint64_t size) override {
        if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) {
            throw_errno(fmt::format("cannot truncate {}", path_));
        }
    }

    void sync() override {
        // fdatasync() leaves out only metadata that reading the file does not need, such as its
        // times.
        if (::fdatasync(fd_.get()) != 0) throw_errno(fmt::format("cannot sync {}", path_));
    }

    int descriptor() const override { return fd_.get(); }

private:
    FileDescriptor fd_;
    std::string path_;
};

// The kernel releases a flock() when the last descriptor of the open file is closed.
class SystemLock final : public FileLock {
public:
    explicit SystemLock(FileDescriptor fd) : fd_(std::move(fd)) {}

private:
    FileDescriptor fd_;
};

int open_flags(OpenMode mode) {
    switch (mode) {
        case OpenMode::read: return O_RDONLY;
        case OpenMode::create: return O_RDWR | O_CREAT | O_EXCL | O_APPEND;
        case OpenMode::append: return O_RDWR | O_CREAT | O_APPEND;
    }
    std::unreachable();
}

}  // namespace

std::unique_ptr<File> adopt_file(FileDescriptor fd, std::string name) {
    return std::make_unique<SystemFile>(std::move(fd), std::move(name));
}

std::string FileSystem::read_all(const Path& path, std::size_t bytes_max) {
    const std::unique_ptr<File> file = open(path, OpenMode::read);
    const std::uint64_t size = file->size();
    if (size > bytes_max) {
        throw IoError(fmt::format("cannot read {}: {} bytes, at most {} are allowed", path.string(),
                                  size, bytes_max),
                      std::make_error_code(std::errc::file_too_large));
    }
    std::string bytes(size, '\0');
    bytes.resize(file->read_at(0, bytes));
    return bytes;
}

void FileSystem::write_all(const Path& path, std::string_view bytes) {
    const Path temporary = path.string() + ".tmp";
    // A crash may have left one; OpenMode::create would fail then.
    remove(temporary);
    {
        const std::unique_ptr<File> file = open(temporary, OpenMode::create);
        file->append(bytes);
        file->sync();
    }
    // The order matters: the bytes must be on disk before the name points to them, and the rename
    // before the caller goes on.
    rename(temporary, path);
    sync_directory(path.has_parent_path() ? path.parent_path() : Path("."));
}

std::unique_ptr<File> SystemFiles::open(const Path& path, OpenMode mode) {
    FileDescriptor fd(::open(path.c_str(), open_flags(mode) | O_CLOEXEC, kNewFileMode));
    if (!fd) throw_errno(fmt::format("cannot open {}", path.string()));
    return adopt_file(std::move(fd), path.string());
}

bool SystemFiles::exists(const Path& path) {
    return ::access(path.c_str(), F_OK) == 0;
}

void SystemFiles::create_directories(const Path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw IoError(fmt::format("cannot make the directory {}", path.string()), error);
}

void SystemFiles::rename(const Path& from, const Path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw_errno(fmt::format("cannot rename {} to {}", from.string(), to.string()));
    }
}

void SystemFiles::remove(const Path& path) {
    // Linux answers EISDIR for a directory (POSIX says EPERM).
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return;
    if (errno == EISDIR && ::rmdir(path.c_str()) == 0) return;  // An empty folder.
    throw_errno(fmt::format("cannot remove {}", path.string()));
}

std::vector<std::string> SystemFiles::list(const Path& directory) {
    std::error_code error;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
        names.push_back(it->path().filename().string());
    }
    if (error) throw IoError(fmt::format("cannot list {}", directory.string()), error);
    std::ranges::sort(names);
    return names;
}

void SystemFiles::sync_directory(const Path& directory) {
    const FileDescriptor fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd || ::fsync(fd.get()) != 0) {
        throw_errno(fmt::format("cannot sync the directory {}", directory.string()));
    }
}

std::unique_ptr<FileLock> lock_file(FileDescriptor fd, const std::string& name) {
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
        // The lock itself is held by the kernel; the process id in the file is only for people.
        const std::string holder = fmt::format("{}\n", ::getpid());
        if (::ftruncate(fd.get(), 0) == 0)
            (void)!::pwrite(fd.get(), holder.data(), holder.size(), 0);
        return std::make_unique<SystemLock>(std::move(fd));
    }
    if (errno == EWOULDBLOCK) return nullptr;
    throw_errno(fmt::format("cannot lock {}", name));
}

std::unique_ptr<FileLock> SystemFiles::try_lock(const Path& path) {
    FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kNewFileMode));
    if (!fd) throw_errno(fmt::format("cannot open {}", path.string()));
    return lock_file(std::move(fd), path.string());
}

std::unique_ptr<FileSystem> SystemFiles::inside(const Path& root) {
    return std::make_unique<EnclosedFiles>(root);
}

std::string SystemFiles::identity(const Path& folder) {
    struct stat status;
    // The boot id changes with every start of the machine; device and inode tell a copy from the
    // original.
    const FileDescriptor boot(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    if (!boot || ::stat(folder.c_str(), &status) != 0) return {};
    char id[64];
    const ssize_t count = ::read(boot.get(), id, sizeof id);
    if (count <= 0) return {};
    return fmt::format("{} {} {}", trim(std::string_view(id, static_cast<std::size_t>(count))),
                       status.st_dev, status.st_ino);
}

std::unique_ptr<FileSystem> FileSystem::inside(const Path& root) {
    return std::make_unique<EnclosedView>(*this, root);
}

std::string FileSystem::identity(const Path& folder) {
    static_cast<void>(folder);
    return {};
}

}  // namespace weft::aio
