#include "base/scratch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/assert.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define WEFT_POISONS 1
#endif
#endif
#ifndef WEFT_POISONS
#define WEFT_POISONS 0
#endif

namespace weft {
namespace {

[[maybe_unused]] constexpr int kHiddenByte = 0xDD;  // Not used with AddressSanitizer.

// tidy: allow shared-state: counts what is in use on this thread; nothing points to it.
thread_local int taken_count = 0;
// tidy: allow shared-state: likewise, the place that took the last one.
thread_local std::source_location last_place;

}  // namespace

namespace detail {

void hide_scratch(void* memory, std::size_t bytes) {
#if WEFT_POISONS
    __asan_poison_memory_region(memory, bytes);
#else
    std::memset(memory, kHiddenByte, bytes);
#endif
}

void reveal_scratch(void* memory, std::size_t bytes) {
#if WEFT_POISONS
    __asan_unpoison_memory_region(memory, bytes);
#endif
    static_cast<void>(memory);
    static_cast<void>(bytes);
}

void note_scratch_taken(const std::source_location& place) {
    ++taken_count;
    last_place = place;
}

void note_scratch_left() {
    --taken_count;
}

void scratch_is_taken() {
    misuse("a Scratch is in use already: give the inner user a tag of its own");
}

}  // namespace detail

#if WEFT_CHECKS_SCRATCH
void expect_no_scratch() {
    if (taken_count == 0) return;
    std::fprintf(stderr, "%s:%u: a Scratch made here lives over a co_await\n",
                 last_place.file_name(), last_place.line());
    misuse(
        "a Scratch lives over a co_await, where other tasks use the same memory: end its block "
        "before, or use memory of the task's own");
}
#endif

}  // namespace weft
