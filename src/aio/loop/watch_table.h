#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "aio/files/file_descriptor.h"
#include "aio/loop/selector.h"

// Building blocks of all selectors.
namespace weft::aio::detail {

// The handlers of the watched descriptors, by descriptor number.
//
// The kernel reuses a number as soon as a descriptor is closed, so each watch gets a generation. An
// event with an older generation is stale and finds no handler.
class WatchTable {
public:
    // One watched descriptor. Without a handler the entry is unused.
    struct Watch {
        IoHandler* handler = nullptr;
        Interest interest;
        std::uint32_t generation = 0;
        // For the selector: the position of the descriptor in a table of its own.
        std::uint32_t place = 0;
    };

    // Makes room for `fd`, with a new generation; the caller fills in the rest. Throws
    // InvalidStateError if it is watched already.
    Watch& open(int fd);

    Watch& operator[](int fd) { return watches_[static_cast<std::size_t>(fd)]; }

    // The descriptor and its generation in one number.
    std::uint64_t mark(int fd) {
        return std::uint64_t{(*this)[fd].generation} << 32 | static_cast<std::uint32_t>(fd);
    }

    // The watch of a mark, or nullptr if it is gone.
    Watch* find(std::uint64_t mark) noexcept;

    static int descriptor_of(std::uint64_t mark) {
        return static_cast<int>(static_cast<std::uint32_t>(mark));
    }

private:
    std::vector<Watch> watches_;
};

// Ends a wait from another thread: a descriptor that is readable from set() to clear(). set() may
// be called from any thread.
class WakeEvent {
public:
    WakeEvent();

    int descriptor() const { return fd_.get(); }
    void set() noexcept;
    void clear() noexcept;

private:
    FileDescriptor fd_;
};

}  // namespace weft::aio::detail
