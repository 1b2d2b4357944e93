#pragma once

#include <cstddef>
#include <source_location>
#include <type_traits>

// Whether this build checks the use of Scratch at run time: it does with a sanitizer or without
// optimisation.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define WEFT_CHECKS_SCRATCH 1
#endif
#endif
#if !defined(WEFT_CHECKS_SCRATCH) && !defined(__OPTIMIZE__)
#define WEFT_CHECKS_SCRATCH 1
#endif
#ifndef WEFT_CHECKS_SCRATCH
#define WEFT_CHECKS_SCRATCH 0
#endif

namespace weft {

inline constexpr bool kChecksScratch = WEFT_CHECKS_SCRATCH;

namespace detail {

// hide_scratch() marks memory as unreadable for AddressSanitizer, and reveal_scratch() undoes it.
// Without AddressSanitizer hide_scratch() fills the memory with 0xDD instead.
void hide_scratch(void* memory, std::size_t bytes);
void reveal_scratch(void* memory, std::size_t bytes);

// Count the Scratch objects in use on this thread, for expect_no_scratch().
void note_scratch_taken(const std::source_location& place);
void note_scratch_left();
[[noreturn]] void scratch_is_taken();

}  // namespace detail

// Aborts if this thread has a Scratch in use. The code that runs coroutines calls it wherever one
// is suspended. It does nothing in builds without checks.
#if WEFT_CHECKS_SCRATCH
void expect_no_scratch();
#else
inline void expect_no_scratch() {}
#endif

// Temporary memory that is allocated once per thread and reused. Each Tag has one T per thread; the
// users of a Tag on a thread get that T one after the other, never two at the same time.
//
//     const Scratch<std::string, struct HeadTag> head;
//     write_request_head(request, *head);
//     sink.on_request(*head);
//
// A Scratch lives on the stack of one function that does not suspend while it exists. During a
// co_await or co_yield another task would write into the same memory: `tools/tidy` finds a Scratch
// in such a block, and builds with checks abort there. Pointers into the memory end with the
// Scratch: builds with checks then hide the memory, so that AddressSanitizer reports a later read.
//
// A tag that is first named inside a function, as above, belongs to that function: no other place
// can use its memory. T is an array, or a container of plain values with contiguous memory. A
// container starts empty; an array keeps its old contents.
template <class T, class Tag>
class Scratch {
public:
    explicit Scratch(std::source_location place = std::source_location::current()) {
        if (slot_.is_taken) detail::scratch_is_taken();
        slot_.is_taken = true;
        if constexpr (kChecksScratch) {
            detail::note_scratch_taken(place);
            slot_.reveal();
        }
        if constexpr (requires(T& value) { value.clear(); }) slot_.value.clear();
    }
    ~Scratch() {
        slot_.is_taken = false;
        if constexpr (kChecksScratch) {
            slot_.hide();
            detail::note_scratch_left();
        }
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    static void* operator new(std::size_t) = delete;

    T& operator*() const { return slot_.value; }
    T* operator->() const { return &slot_.value; }

private:
    struct Slot {
        T value{};
        bool is_taken = false;

        std::size_t bytes() const {
            if constexpr (requires { value.capacity(); }) {
                return value.capacity() * sizeof(*value.data());
            } else {
                return sizeof(value);
            }
        }
        void hide() { detail::hide_scratch(value.data(), bytes()); }
        void reveal() { detail::reveal_scratch(value.data(), bytes()); }
    };

    // Reveals the memory when its thread ends, because other threads may get it next.
    struct CheckedSlot : Slot {
        ~CheckedSlot() { this->reveal(); }
    };

    static Slot& slot() {
        // tidy: allow shared-state: the one place for memory that tasks share.
        thread_local std::conditional_t<kChecksScratch, CheckedSlot, Slot> slot;
        return slot;
    }

    Slot& slot_ = slot();
};

}  // namespace weft
