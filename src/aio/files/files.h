#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace weft::aio {

// An open file. Calls block, so heavy use belongs on an Executor. All throw IoError, naming the
// file. The destructor closes it, without a sync.
class File {
public:
    virtual ~File() = default;

    // Writes all bytes at the end of the file. After a failure a part may have been written.
    virtual void append(std::string_view bytes) = 0;

    // Returns fewer bytes than `room` has only at the end of the file.
    virtual std::size_t read_at(std::uint64_t offset, std::span<char> room) = 0;

    virtual std::uint64_t size() = 0;
    virtual void truncate(std::uint64_t size) = 0;

    // After it returns, what was written survives a loss of power. After a failure the file must
    // not be trusted, and sync() must not be tried again (H89).
    virtual void sync() = 0;

    // The system's descriptor, for calls of the kernel; -1 if there is none.
    virtual int descriptor() const { return -1; }
};

class FileDescriptor;

// The mode of new files, before the user's umask.
inline constexpr mode_t kNewFileMode = 0644;

// A File over a descriptor, which it owns; `name` is for messages.
std::unique_ptr<File> adopt_file(FileDescriptor fd, std::string name);

class FileLock;

// Locks the file behind a descriptor; nullptr if someone else holds the lock. Throws IoError.
std::unique_ptr<FileLock> lock_file(FileDescriptor fd, const std::string& name);

// How a file is opened. `create` and `append` allow reading too; all writes go to the end.
enum class OpenMode {
    read,
    create,  // Fails if it exists.
    append,  // Created if it does not exist.
};

// Holds a lock file. The destructor releases it.
class FileLock {
public:
    virtual ~FileLock() = default;
};

// Files and directories: the machine's, or a simulation's. Calls block and throw IoError.
class FileSystem {
public:
    using Path = std::filesystem::path;

    virtual ~FileSystem() = default;

    virtual std::unique_ptr<File> open(const Path& path, OpenMode mode) = 0;
    virtual bool exists(const Path& path) = 0;
    virtual void create_directories(const Path& path) = 0;
    virtual void rename(const Path& from, const Path& to) = 0;  // Replaces `to`.
    virtual void remove(const Path& path) = 0;                  // No error if it does not exist.
    virtual std::vector<std::string> list(const Path& directory) = 0;  // Names, sorted.

    // After it returns, new and renamed entries of the directory survive a loss of power.
    virtual void sync_directory(const Path& directory) = 0;

    // nullptr if another process (or another lock of this one) holds it.
    virtual std::unique_ptr<FileLock> try_lock(const Path& path) = 0;

    // The same files, but only those in the folder `root`: for a folder that someone else may have
    // filled. Paths are written as before, with `root` in front; any other path is refused. No
    // symbolic link inside is followed, and only regular files are opened, no pipes or devices.
    // `root` itself may be a link. Throws IoError if there is no such folder. This object must
    // outlive the result.
    virtual std::unique_ptr<FileSystem> inside(const Path& root);

    // Identifies the memory of the machine that holds the folder's unsynced bytes. As long as it
    // stays the same, everything that was written is there. It changes when the machine is
    // restarted and when the folder is a copy. Empty: unknown.
    virtual std::string identity(const Path& folder);

    // The whole file. Also throws IoError if it is larger than `bytes_max`.
    std::string read_all(const Path& path, std::size_t bytes_max);

    // Replaces the file in one step: writes a new one beside it, syncs it and renames it.
    void write_all(const Path& path, std::string_view bytes);
};

// The machine's own files.
class SystemFiles final : public FileSystem {
public:
    std::unique_ptr<File> open(const Path& path, OpenMode mode) override;
    bool exists(const Path& path) override;
    void create_directories(const Path& path) override;
    void rename(const Path& from, const Path& to) override;
    void remove(const Path& path) override;
    std::vector<std::string> list(const Path& directory) override;
    void sync_directory(const Path& directory) override;
    std::unique_ptr<FileLock> try_lock(const Path& path) override;
    std::unique_ptr<FileSystem> inside(const Path& root) override;
    std::string identity(const Path& folder) override;
};

}  // namespace weft::aio
