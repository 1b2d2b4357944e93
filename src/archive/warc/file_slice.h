#pragma once

#include <algorithm>
#include <memory>

#include "aio/files/files.h"
#include "aio/task/errors.h"

namespace weft::archive {

// A part of a file as a read-only file of its own: an entry of a ZIP file, or what a growing file
// contained at one moment. Owns the file.
class FileSlice final : public aio::File {
public:
    // REQUIRES: the part is inside the file.
    FileSlice(std::unique_ptr<aio::File> file, std::uint64_t offset, std::uint64_t size)
        : file_(std::move(file)), offset_(offset), size_(size) {}

    std::size_t read_at(std::uint64_t offset, std::span<char> room) override {
        if (offset >= size_) return 0;
        const std::uint64_t left = size_ - offset;
        return file_->read_at(offset_ + offset,
                              room.first(std::min<std::uint64_t>(room.size(), left)));
    }
    std::uint64_t size() override { return size_; }

    void append(std::string_view) override { refuse(); }
    void truncate(std::uint64_t) override { refuse(); }
    void sync() override { refuse(); }

private:
    [[noreturn]] static void refuse() {
        throw aio::IoError("cannot write a part of a file",
                           std::make_error_code(std::errc::operation_not_permitted));
    }

    std::unique_ptr<aio::File> file_;
    std::uint64_t offset_;
    std::uint64_t size_;
};

}  // namespace weft::archive
