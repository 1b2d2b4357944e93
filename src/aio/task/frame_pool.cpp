#include "aio/task/frame_pool.h"

#include <array>
#include <new>
#include <utility>

#if defined(__has_feature)
// A sanitizer only sees the use of a freed frame if the memory really goes back to the allocator.
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

// Class n holds frames of at most n * kGranule bytes; class 0 is never used.
constexpr std::size_t kGranule = kAlignment;
constexpr std::size_t kClassCount = 2048 / kGranule + 1;

constexpr std::size_t kSlabBytes = 64 * 1024;

// A free frame's own memory holds the link of its free list.
struct FreeFrame {
    FreeFrame* next;
};

// A block that frames are cut from. Its first granule holds the link to the next slab; frames have
// no headers.
struct Slab {
    Slab* next;
};

struct Pool {
    std::array<FreeFrame*, kClassCount> free{};
    Slab* slabs = nullptr;
    char* cut = nullptr;  // The unused rest of the newest slab.
    std::size_t cut_bytes = 0;
    std::size_t live_count = 0;
    std::size_t live_bytes = 0;
    bool has_given_up = false;
};

// tidy: allow shared-state: memory that no frame has.
constinit thread_local Pool pool;

// Frees the slabs when the thread ends. A thread without a loop has no other place that calls
// trim().
struct ThreadEnd {
    ThreadEnd() = default;
    ThreadEnd(const ThreadEnd&) = delete;
    ThreadEnd& operator=(const ThreadEnd&) = delete;
    ~ThreadEnd() { trim(); }
    void watch() noexcept {}  // The first use of a thread_local object constructs it.
};
// tidy: allow shared-state: gives the memory of an ending thread back; nobody reads it.
thread_local ThreadEnd thread_end;

constexpr std::size_t size_class(std::size_t bytes) {
    return (bytes + kGranule - 1) / kGranule;
}

void* cut_from_slab(std::size_t bytes) {
    if (pool.cut_bytes < bytes) {
        thread_end.watch();
        auto* slab = static_cast<char*>(::operator new(kSlabBytes));
        // What is left of the old slab is lost until trim(); it is smaller than this frame.
        pool.slabs = new (slab) Slab{pool.slabs};
        pool.cut = slab + kGranule;
        pool.cut_bytes = kSlabBytes - kGranule;
    }
    void* memory = pool.cut;
    pool.cut += bytes;
    pool.cut_bytes -= bytes;
    return memory;
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
    return cut_from_slab(index * kGranule);
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

void* allocate_aligned(std::size_t bytes, std::align_val_t alignment) {
    void* memory = ::operator new(bytes, alignment);
    ++pool.live_count;
    pool.live_bytes += bytes;
    return memory;
}

void deallocate_aligned(void* memory, std::size_t bytes, std::align_val_t alignment) noexcept {
    --pool.live_count;
    pool.live_bytes -= bytes;
    ::operator delete(memory, alignment);
}

void note_given_up() noexcept {
    pool.has_given_up = true;
}

bool has_given_up() noexcept {
    return pool.has_given_up;
}

std::size_t live_count() noexcept {
    return pool.live_count;
}

std::size_t live_bytes() noexcept {
    return pool.live_bytes;
}

void trim() noexcept {
    // Slabs have no count of their frames, so all of them are free or none can be freed.
    if (pool.live_count > 0) return;
    while (pool.slabs) ::operator delete(std::exchange(pool.slabs, pool.slabs->next));
    pool.free = {};
    pool.cut = nullptr;
    pool.cut_bytes = 0;
}

}  // namespace weft::aio::frame_pool
