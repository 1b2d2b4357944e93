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

// A folder of the machine, opened once, and what lies in it. Nothing outside can be reached through
// it: not by "..", not by an absolute path, and not by a symbolic link, whoever made it and
// whenever (the kernel checks while it walks). Links that stay inside are followed.
//
// Calls block: they belong in to_thread(). Any thread may call; nothing is shared but the folder.
class Folder {
public:
    enum class Kind { file, folder };

    struct Entry {
        std::string name;
        Kind kind;
        std::uint64_t size_bytes;
        WallTime modified;
    };

    struct Opened {
        Kind kind;
        std::uint64_t size_bytes;
        WallTime modified;
        std::uint64_t inode;
        std::unique_ptr<File> file;  // Of a Kind::file, for reading.
    };

    // Throws IoError if there is no such folder.
    explicit Folder(const std::filesystem::path& path);

    // Nothing if there is none, if it may not be read, if it lies outside, or if it is neither a
    // file nor a folder. Throws IoError when the system has trouble of its own. "" is the folder
    // itself.
    std::optional<Opened> open(const std::string& path) const;

    // The files and folders in `path`, sorted by name, at most `count_max` of them; links that lead
    // outside are left out. Throws IoError.
    std::vector<Entry> list(const std::string& path, std::size_t count_max) const;

    // A new file, and the folders on the way to it where they are missing. No link is followed, nor
    // is anything replaced. Throws IoError, also if the file is there or would lie outside (H94).
    std::unique_ptr<File> create(const std::string& path) const;

    // Removes the file, or the link itself. No error if it is not there. Throws IoError, also if it
    // is a folder.
    void remove(const std::string& path) const;

private:
    FileDescriptor open_inside(const std::string& path, int flags) const;

    FileDescriptor fd_;
};

}  // namespace weft::aio
