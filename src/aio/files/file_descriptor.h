#pragma once

#include <string>
#include <utility>

namespace weft::aio {

// Owns a descriptor of the operating system. The destructor closes it.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) noexcept : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    // Swaps: the old descriptor is closed when `other` is destroyed.
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileDescriptor() { reset(); }

    explicit operator bool() const { return fd_ >= 0; }
    int get() const { return fd_; }
    void reset() noexcept;

private:
    int fd_ = -1;
};

// Throws IoError with the code in errno; `what` says what was tried.
[[noreturn]] void throw_errno(const std::string& what);

}  // namespace weft::aio
