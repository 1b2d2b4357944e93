#include "aio/files/file_descriptor.h"

#include <cerrno>

#include <unistd.h>

#include "aio/task/errors.h"

namespace weft::aio {

void FileDescriptor::reset() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void throw_errno(const std::string& what) {
    throw IoError(what, std::error_code(errno, std::system_category()));
}

}  // namespace weft::aio
