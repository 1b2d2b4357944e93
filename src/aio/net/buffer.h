#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace weft::aio {

// Bytes between a reader and a parser: filled at the end, consumed at the front.
//
// Its memory comes in blocks of 16 KiB, recycled per thread, and is given back as soon as it is
// empty, so that ten thousand idle connections hold no buffers. Grows in whole blocks when a parser
// needs more in one piece.
class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer() { release(); }

    bool empty() const { return begin_ == end_; }
    std::size_t size() const { return end_ - begin_; }
    std::string_view view() const { return {memory_ + begin_, size()}; }

    // At least one byte of room behind the last. Valid until the next call of a member.
    std::span<char> room();

    // `count` bytes of room() were filled.
    void add(std::size_t count) { end_ += count; }

    // Ends every view. REQUIRES: count <= size()
    void consume(std::size_t count);

    // Gives the memory back if the buffer is empty.
    void trim() noexcept {
        if (empty()) release();
    }

    static constexpr std::size_t kBlockBytes = 16 * 1024;

private:
    void release() noexcept;

    char* memory_ = nullptr;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace weft::aio
