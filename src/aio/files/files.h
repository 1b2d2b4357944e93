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

// An open file. Calls block: heavy use goes through an Executor. All throw IoError, naming the
// file.
class File {
public:
    virtual ~File() = default;

    // Writes all of it, at the end of the file.
    virtual void append(std::string_view bytes) = 0;

    // Fewer bytes than `room` only at the end of the file.
    virtual std::size_t read_at(std::uint64_t offset, std::span<char> room) = 0;

    virtual std::uint64_t size() = 0;
    virtual void truncate(std::uint64_t size) = 0;

    // What was written survives a loss of power. After a failure the file is not to be trusted:
    // never try again (H89).
    virtual void sync() = 0;

    // The system's number for it, for calls of the kernel; -1 if it has none.
    virtual int descriptor() const { return -1; }
};

class FileDescriptor;

// Of files that are made; the user's umask takes from it.
inline constexpr mode_t kNewFileMode = 0644;

// The file behind a descriptor; `name` is for messages.
std::unique_ptr<File> adopt_file(FileDescriptor fd, std::string name);

class FileLock;

// Locks the file behind a descriptor; nothing if another holds it. Throws IoError.
std::unique_ptr<FileLock> lock_file(FileDescriptor fd, const std::string& name);

enum class OpenMode {
    read,
    create,  // Fails if it is there.
    append,  // Made if it is not there.
};

// Holds a lock file until destroyed.
class FileLock {
public:
    virtual ~FileLock() = default;
};

// Files and directories: the machine's, or a simulation's. Blocking; throws IoError.
class FileSystem {
public:
    using Path = std::filesystem::path;

    virtual ~FileSystem() = default;

    virtual std::unique_ptr<File> open(const Path& path, OpenMode mode) = 0;
    virtual bool exists(const Path& path) = 0;
    virtual void create_directories(const Path& path) = 0;
    virtual void rename(const Path& from, const Path& to) = 0;  // Replaces `to`.
    virtual void remove(const Path& path) = 0;                  // No error if it is not there.
    virtual std::vector<std::string> list(const Path& directory) = 0;  // Names, sorted.

    // New and renamed entries of the directory survive a loss of power.
    virtual void sync_directory(const Path& directory) = 0;

    // Nothing if another process (or another lock of this one) holds it.
    virtual std::unique_ptr<FileLock> try_lock(const Path& path) = 0;

    // The same files, but only those in the folder `root`: for a folder that somebody else may have
    // filled. Paths are written as before, with `root` in front; any other is refused. No symbolic
    // link inside is followed, and only regular files are opened: no pipe, no device. `root` itself
    // may be a link. Throws IoError if there is no such folder. This object outlives the result.
    virtual std::unique_ptr<FileSystem> inside(const Path& root);

    // Names the state of the machine's memory that unsynced bytes of the folder live in. As long as
    // it stays the same, all that was written is there. It changes when the machine starts anew and
    // when the folder is a copy. Empty: not known.
    virtual std::string identity(const Path& folder);

    // The whole file. Throws IoError also if it is larger than `bytes_max`.
    std::string read_all(const Path& path, std::size_t bytes_max);

    // Replaces the file in one step: written beside it, synced, renamed.
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
