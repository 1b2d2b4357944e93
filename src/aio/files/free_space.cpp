#include "aio/files/free_space.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "aio/files/file_descriptor.h"
#include "aio/files/memory_files.h"

namespace weft::aio {

std::uint64_t free_space(FileSystem& files, const FileSystem::Path& path) {
    if (const auto* simulated = dynamic_cast<const MemoryFiles*>(&files)) {
        return simulated->space().value_or(UINT64_MAX);
    }
    struct statvfs disk{};
    if (::statvfs(path.c_str(), &disk) != 0) {
        throw_errno(fmt::format("cannot see how much is free at {}", path.string()));
    }
    // f_bavail: what is free for users without privileges.
    return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

}  // namespace weft::aio
