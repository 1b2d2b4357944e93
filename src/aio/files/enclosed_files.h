#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "aio/files/file_descriptor.h"
#include "aio/files/files.h"

// The classes behind FileSystem::inside().
namespace weft::aio {

// The path relative to `root`; "" for `root` itself. Throws IoError if the path is not inside it.
std::string path_inside(const std::filesystem::path& root, const std::filesystem::path& path);

// The machine's files in one folder, which is opened once. No new file is written after the folder
// was moved away or removed, or replaced by another one (H88). Blocking.
class EnclosedFiles final : public FileSystem {
public:
    explicit EnclosedFiles(const Path& root);

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

private:
    // An entry of a directory: the directory, opened without following a link, and the entry's
    // name.
    struct Spot {
        FileDescriptor parent;
        std::string name;
    };

    // Throws unless the root's path still names the folder that was opened.
    void check_place(std::string_view what, const Path& path) const;
    // The parent is empty if it cannot be opened; errno says why.
    Spot spot_of(const Path& path) const;
    FileDescriptor open_file(const Path& path, int flags) const;

    Path root_;
    FileDescriptor fd_;
};

// The files of any FileSystem in one folder, by comparing paths only: for file systems without
// links. Does not own `files`, which must outlive it.
class EnclosedView final : public FileSystem {
public:
    EnclosedView(FileSystem& files, Path root);

    std::unique_ptr<File> open(const Path& path, OpenMode mode) override;
    bool exists(const Path& path) override;
    void create_directories(const Path& path) override;
    void rename(const Path& from, const Path& to) override;
    void remove(const Path& path) override;
    std::vector<std::string> list(const Path& directory) override;
    void sync_directory(const Path& directory) override;
    std::unique_ptr<FileLock> try_lock(const Path& path) override;
    std::string identity(const Path& folder) override;

private:
    const Path& checked(const Path& path) const;

    FileSystem& files_;
    Path root_;
};

}  // namespace weft::aio
