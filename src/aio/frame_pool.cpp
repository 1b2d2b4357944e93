#include "aio/frame_pool.h"

#include <array>
#include <new>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define WEFT_RECYCLE_FRAMES 0
#endif
#endif
#ifndef WEFT_RECYCLE_FRAMES
#define WEFT_RECYCLE_FRAMES 1
#endif

namespace weft::aio::frame_pool {
namespace {

constexpr std::size_t kGranule = 16;
constexpr std::size_t kClassCount = 2048 / kGranule + 1;

struct FreeFrame {
    FreeFrame* next;
};

struct Pool {
    std::array<FreeFrame*, kClassCount> free{};
    std::size_t live_count = 0;
    std::size_t live_bytes = 0;
};

constinit thread_local Pool pool;

constexpr std::size_t size_class(std::size_t bytes) {
    return (bytes + kGranule - 1) / kGranule;
}

}  // namespace

void* allocate(std::size_t bytes) {
    ++pool.live_count;
    pool.live_bytes += bytes;
    const std::size_t index = size_class(bytes);
    if (!WEFT_RECYCLE_FRAMES || index >= kClassCount) return ::operator new(bytes);
    if (FreeFrame* frame = pool.free[index]) {
        pool.free[index] = frame->next;
        return frame;
    }
    return ::operator new(index * kGranule);
}

void deallocate(void* memory, std::size_t bytes) noexcept {
    --pool.live_count;
    pool.live_bytes -= bytes;
    const std::size_t index = size_class(bytes);
    if (!WEFT_RECYCLE_FRAMES || index >= kClassCount) {
        ::operator delete(memory);
        return;
    }
    pool.free[index] = new (memory) FreeFrame{pool.free[index]};
}

std::size_t live_count() noexcept {
    return pool.live_count;
}

std::size_t live_bytes() noexcept {
    return pool.live_bytes;
}

void trim() noexcept {
    for (FreeFrame*& head : pool.free) {
        while (head) ::operator delete(std::exchange(head, head->next));
    }
}

}  // namespace weft::aio::frame_pool
