#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace weft::aio {

// Bytes between a reader and a parser: filled at the end, consumed at the front. Owned by a stream,
// on one thread.
//
// The memory comes in blocks that are recycled per thread: of 16 KiB, or of 64 KiB after a read
// of 8 KiB or more, because such a connection probably delivers more and each read is a system
// call. An empty buffer returns its memory, so that ten thousand idle connections hold no buffers;
// one that waits with unconsumed bytes calls settle(). The memory doubles when a parser needs more
// bytes in one piece.
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

    // Says that `count` bytes of room() were filled by one read.
    void add(std::size_t count) {
        end_ += count;
        reads_much_ = count >= kBlockBytes / 2;
    }

    // Removes bytes from the front. Invalidates every view. REQUIRES: count <= size()
    void consume(std::size_t count);

    // Returns the memory if the buffer is empty.
    void trim() noexcept {
        if (empty()) release();
    }

    // For a connection that delivers nothing at present: returns the memory if the buffer is empty,
    // and moves a few bytes out of a large block.
    void settle();

    static constexpr std::size_t kBlockBytes = 16 * 1024;
    static constexpr std::size_t kLargeBlockBytes = 64 * 1024;

private:
    void release() noexcept;

    char* memory_ = nullptr;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool reads_much_ = false;  // The next block is a large one.
};

}  // namespace weft::aio
