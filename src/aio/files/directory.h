#pragma once

#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>

#include "aio/files/file_descriptor.h"

namespace weft::aio {

struct DirectoryCloser {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

// An open directory, for readdir().
using Directory = std::unique_ptr<DIR, DirectoryCloser>;

// Empty if it fails, also for an empty descriptor; errno says why. `fd` stays open: the directory
// gets a copy of it.
inline Directory open_directory(const FileDescriptor& fd) {
    const int copy = fd ? ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0) : -1;
    return Directory(copy < 0 ? nullptr : ::fdopendir(copy));
}

// The next entry; none at the end, with errno 0, or after an error, which errno names.
inline const dirent* next_entry(const Directory& directory) {
    errno = 0;
    return ::readdir(directory.get());
}

}  // namespace weft::aio
