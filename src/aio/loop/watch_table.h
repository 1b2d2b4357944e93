#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "aio/files/file_descriptor.h"
#include "aio/loop/selector.h"

// What every selector is built from.
namespace weft::aio::detail {

// Who watches which descriptor, by its number.
//
// A number is given to the next socket as soon as the last one is closed, so each watch gets a
// generation: an event that names an older one is stale and finds nobody.
class WatchTable {
public:
    struct Watch {
        IoHandler* handler = nullptr;
        Interest interest;
        std::uint32_t generation = 0;
        std::uint32_t place = 0;  // For the selector: where else it keeps this descriptor.
    };

    // Room for `fd`, with a new generation; the caller fills in the rest. InvalidStateError if it
    // is watched already.
    Watch& open(int fd);

    Watch& operator[](int fd) { return watches_[static_cast<std::size_t>(fd)]; }

    // Which descriptor, and which of those that had its number.
    std::uint64_t mark(int fd) {
        return std::uint64_t{(*this)[fd].generation} << 32 | static_cast<std::uint32_t>(fd);
    }

    // The watch that a mark means, if it is still there.
    Watch* find(std::uint64_t mark) noexcept;

    static int descriptor_of(std::uint64_t mark) {
        return static_cast<int>(static_cast<std::uint32_t>(mark));
    }

private:
    std::vector<Watch> watches_;
};

// Ends a wait from another thread: a descriptor that is readable from set() to clear().
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
