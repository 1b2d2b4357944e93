#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "aio/files/file_descriptor.h"
#include "aio/files/files.h"

// What FileSystem::inside() gives.
namespace weft::aio {

// The path as seen from `root`. Throws IoError if it does not lie in it.
std::string path_inside(const std::filesystem::path& root, const std::filesystem::path& path);

// The machine's files in one folder, which is opened once. Nothing new is written once it was moved
// away or removed, or has another folder in its place (H88).
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
    // A directory that was opened without following a link, and a name in it.
    struct Spot {
        FileDescriptor parent;
        std::string name;
    };

    // Throws unless the root still has its name.
    void check_place(std::string_view what, const Path& path) const;
    Spot spot_of(const Path& path) const;
    FileDescriptor open_file(const Path& path, int flags) const;

    Path root_;
    FileDescriptor fd_;
};

// Any files in one folder, by their paths alone: for files that know no links.
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
