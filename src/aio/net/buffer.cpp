#include "aio/net/buffer.h"

#include <cstring>
#include <new>
#include <utility>

#include "base/assert.h"

namespace weft::aio {
namespace {

// Together at most 1 MiB per thread.
constexpr std::size_t kRecycledBlocksMax = 64;

// Free blocks for the next buffers of this thread.
struct BlockPool {
    ~BlockPool() {
        while (count > 0) ::operator delete(blocks[--count]);
    }
    void* blocks[kRecycledBlocksMax];
    std::size_t count = 0;
};

// tidy: allow shared-state: blocks that no buffer has.
thread_local BlockPool pool;

char* take_block() {
    if (pool.count > 0) return static_cast<char*>(pool.blocks[--pool.count]);
    return static_cast<char*>(::operator new(Buffer::kBlockBytes));
}

// Only blocks of the standard size are recycled.
void give_block(char* block, std::size_t capacity) {
    if (capacity == Buffer::kBlockBytes && pool.count < kRecycledBlocksMax) {
        pool.blocks[pool.count++] = block;
    } else {
        ::operator delete(block);
    }
}

}  // namespace

Buffer::Buffer(Buffer&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(capacity_, other.capacity_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    return *this;
}

std::span<char> Buffer::room() {
    if (!memory_) {
        memory_ = take_block();
        capacity_ = kBlockBytes;
    }
    // First use the space at the front; only a buffer that is really full grows.
    if (end_ == capacity_ && begin_ > 0) {
        std::memmove(memory_, memory_ + begin_, size());
        end_ -= std::exchange(begin_, 0);
    }
    if (end_ == capacity_) {
        const std::size_t capacity = capacity_ * 2;
        auto* memory = static_cast<char*>(::operator new(capacity));
        std::memcpy(memory, memory_, end_);
        give_block(std::exchange(memory_, memory), std::exchange(capacity_, capacity));
    }
    return {memory_ + end_, capacity_ - end_};
}

void Buffer::consume(std::size_t count) {
    WEFT_ASSERT(count <= size());
    begin_ += count;
    trim();
}

void Buffer::release() noexcept {
    if (memory_) give_block(std::exchange(memory_, nullptr), capacity_);
    capacity_ = begin_ = end_ = 0;
}

}  // namespace weft::aio
