#include "hostile/heap.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <string_view>

#include <malloc.h>

namespace {

std::atomic<std::size_t> live = 0;
std::atomic<std::size_t> peak = 0;

void* take(std::size_t bytes, std::size_t alignment) {
    void* block = alignment == 0 ? std::malloc(bytes)
                                 : std::aligned_alloc(
                                       alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!block) throw std::bad_alloc();
    const std::size_t now = live += malloc_usable_size(block);
    if (now > peak) peak = now;
    return block;
}

void give_back(void* block) noexcept {
    if (block) live -= malloc_usable_size(block);
    std::free(block);
}

}  // namespace

void* operator new(std::size_t bytes) {
    return take(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return take(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept {
    give_back(block);
}
void operator delete(void* block, std::size_t) noexcept {
    give_back(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    give_back(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    give_back(block);
}

namespace weft::hostile {

std::size_t live_heap_bytes() {
    return live;
}

std::size_t peak_heap_bytes() {
    return peak;
}

void reset_heap_peak() {
    peak = live.load();
}

namespace {

// A line of /proc/self/status, in bytes.
std::size_t status_bytes(std::string_view name) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    static_cast<void>(name);
    return 0;
#else
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word != name) continue;
        std::size_t kilobytes = 0;
        status >> kilobytes;
        return kilobytes * 1024;
    }
    return 0;
#endif
}

}  // namespace

std::size_t resident_bytes() {
    return status_bytes("VmRSS:");
}

std::size_t peak_resident_bytes() {
    return status_bytes("VmHWM:");
}

void reset_resident_peak() {
    std::ofstream("/proc/self/clear_refs") << '5';
}

}  // namespace weft::hostile
