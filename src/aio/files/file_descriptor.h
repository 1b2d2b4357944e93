#pragma once

#include <string>
#include <utility>

namespace weft::aio {

// Owns a descriptor of the operating system; closes it at the end of its life.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) noexcept : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
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

// Throws IoError with errno's code; `what` says what was tried.
[[noreturn]] void throw_errno(const std::string& what);

}  // namespace weft::aio
