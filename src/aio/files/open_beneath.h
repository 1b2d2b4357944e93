#pragma once

#include <string>

#include <sys/types.h>

#include "aio/files/file_descriptor.h"

namespace weft::aio {

// Which symbolic links are followed on the way to a file.
enum class Links {
    inside,  // Those that stay beneath the start.
    none,
};

// Opens a path beneath the directory `start`. Neither ".." nor an absolute path nor a link leads
// out of it, whenever and by whomever the link was made, as the kernel checks while it resolves the
// path. If the kernel has no openat2() (before 5.6) or a sandbox forbids it, the path is resolved
// step by step without following any link. "" is the directory itself. The result is empty if it
// fails; errno says why.
FileDescriptor open_beneath(int start, const std::string& path, int flags, Links links,
                            mode_t mode = 0);

}  // namespace weft::aio
