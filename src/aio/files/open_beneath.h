#pragma once

#include <string>

#include <sys/types.h>

#include "aio/files/file_descriptor.h"

namespace weft::aio {

// Which symbolic links may be followed on the way to a file.
enum class Links {
    inside,  // Those that stay below the start.
    none,
};

// Opens a path that lies below the directory `start`: neither ".." nor an absolute path nor a link
// leads out of it, whoever made the link and whenever, as the kernel checks while it walks. Where
// the kernel has no openat2() (before 5.6), or a sandbox forbids it, the path is walked step by
// step, following no link at all. "" is the directory itself. errno says why when it fails.
FileDescriptor open_beneath(int start, const std::string& path, int flags, Links links,
                            mode_t mode = 0);

}  // namespace weft::aio
