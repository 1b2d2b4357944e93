#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace weft::aio {

// Bytes between a reader and a parser: filled at the end, consumed at the front. Owned by a stream,
// on one thread.
//
// The memory comes in blocks of 16 KiB that are recycled per thread. An empty buffer returns its
// memory, so that ten thousand idle connections hold no buffers. The memory doubles when a parser
// needs more bytes in one piece.
class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer() { release(); }

    bool empty() const { return begin_ == end_; }
    std::size_t size() const { return end_ - begin_; }
    std::string_view view() const { return {memory_ + begin_, size()}; }

    // Room for at least one byte after the last. Valid until the next call of a member function.
    std::span<char> room();

    // Says that `count` bytes of room() were filled.
    void add(std::size_t count) { end_ += count; }

    // Removes bytes from the front. Invalidates every view. REQUIRES: count <= size()
    void consume(std::size_t count);

    // Returns the memory if the buffer is empty.
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
