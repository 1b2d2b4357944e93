#include "aio/net/buffer.h"

#include <cstring>
#include <new>
#include <utility>

#include "base/assert.h"

namespace weft::aio {
namespace {

// Free blocks of one size, for the next buffers of this thread.
template <std::size_t kBytes, std::size_t kCountMax>
class BlockPool {
public:
    BlockPool() = default;
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;
    ~BlockPool() {
        while (count_ > 0) ::operator delete(blocks_[--count_]);
    }

    char* take() {
        return static_cast<char*>(count_ > 0 ? blocks_[--count_] : ::operator new(kBytes));
    }

    void give_back(char* block) {
        if (count_ == kCountMax) return ::operator delete(block);
        blocks_[count_++] = block;
    }

private:
    void* blocks_[kCountMax];
    std::size_t count_ = 0;
};

// Together at most 1.25 MiB per thread. Few large blocks are in use at once: a parser consumes most
// reads before the next one.
// tidy: allow shared-state: blocks that no buffer has.
thread_local BlockPool<Buffer::kBlockBytes, 64> small_blocks;
// tidy: allow shared-state: blocks that no buffer has.
thread_local BlockPool<Buffer::kLargeBlockBytes, 4> large_blocks;

char* take_block(std::size_t capacity) {
    return capacity == Buffer::kBlockBytes ? small_blocks.take() : large_blocks.take();
}

// Other sizes, of buffers that have grown, are not recycled.
void give_block(char* block, std::size_t capacity) {
    if (capacity == Buffer::kBlockBytes) return small_blocks.give_back(block);
    if (capacity == Buffer::kLargeBlockBytes) return large_blocks.give_back(block);
    ::operator delete(block);
}

}  // namespace

Buffer::Buffer(Buffer&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)),
      reads_much_(other.reads_much_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(capacity_, other.capacity_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(reads_much_, other.reads_much_);
    return *this;
}

std::span<char> Buffer::room() {
    if (!memory_) {
        capacity_ = reads_much_ ? kLargeBlockBytes : kBlockBytes;
        memory_ = take_block(capacity_);
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

void Buffer::settle() {
    if (empty()) return release();
    if (capacity_ == kBlockBytes || size() > kBlockBytes) return;
    char* const memory = take_block(kBlockBytes);
    std::memcpy(memory, memory_ + begin_, size());
    give_block(std::exchange(memory_, memory), std::exchange(capacity_, kBlockBytes));
    end_ -= std::exchange(begin_, 0);
}

void Buffer::release() noexcept {
    if (memory_) give_block(std::exchange(memory_, nullptr), capacity_);
    capacity_ = begin_ = end_ = 0;
}

}  // namespace weft::aio
