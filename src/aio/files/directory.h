#pragma once

#include <memory>

#include <dirent.h>
#include <fcntl.h>

#include "aio/files/file_descriptor.h"

namespace weft::aio {

struct DirectoryCloser {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

// What readdir() reads.
using Directory = std::unique_ptr<DIR, DirectoryCloser>;

// Empty when it fails, also for an empty descriptor; errno says why.
inline Directory open_directory(const FileDescriptor& fd) {
    const int copy = fd ? ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0) : -1;
    return Directory(copy < 0 ? nullptr : ::fdopendir(copy));
}

}  // namespace weft::aio
