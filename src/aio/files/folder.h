#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/file_descriptor.h"
#include "aio/files/files.h"
#include "base/clock.h"

namespace weft::aio {

// A folder of the machine, opened once, and its contents. Nothing outside can be reached through
// it: not by "..", not by an absolute path, and not by a symbolic link, whenever and by whomever it
// was made (the kernel checks while it resolves the path). Links that stay inside are followed.
//
// Calls block: use them in to_thread(). Safe for several threads, as the calls share only the
// folder's descriptor.
class Folder {
public:
    enum class Kind { file, folder };

    // One line of list().
    struct Entry {
        std::string name;
        Kind kind;
        std::uint64_t size_bytes;
        WallTime modified;
    };

    // What open() found. The metadata is that of the open descriptor, so it fits the contents.
    struct Opened {
        Kind kind;
        std::uint64_t size_bytes;
        WallTime modified;
        std::uint64_t inode;
        std::unique_ptr<File> file;  // Open for reading, if it is a Kind::file.
    };

    // Throws IoError if there is no such folder.
    explicit Folder(const std::filesystem::path& path);

    // nullopt if it does not exist, may not be read, lies outside, or is neither a file nor a
    // folder. Throws IoError for other failures of the system. "" is the folder itself.
    std::optional<Opened> open(const std::string& path) const;

    // The files and folders in `path`, sorted by name, at most `count_max` of them. Links that lead
    // outside are left out. Throws IoError.
    std::vector<Entry> list(const std::string& path, std::size_t count_max) const;

    // Creates a new file, and the missing folders on the way to it. Follows no link and replaces
    // nothing. Throws IoError, also if the file exists or would lie outside (H94).
    std::unique_ptr<File> create(const std::string& path) const;

    // Removes the file, or the link itself. No error if it does not exist. Throws IoError, also if
    // it is a folder.
    void remove(const std::string& path) const;

private:
    FileDescriptor open_inside(const std::string& path, int flags) const;

    FileDescriptor fd_;
};

}  // namespace weft::aio
