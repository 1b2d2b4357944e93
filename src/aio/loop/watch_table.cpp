#include "aio/loop/watch_table.h"

#include <cerrno>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "aio/task/errors.h"

namespace weft::aio::detail {

WatchTable::Watch& WatchTable::open(int fd) {
    const auto index = static_cast<std::size_t>(fd);
    if (index >= watches_.size()) watches_.resize(index + 1);
    Watch& watch = watches_[index];
    // The handler is set once the selector has taken the descriptor; an unused entry has none.
    if (watch.handler) {
        throw InvalidStateError(fmt::format(
            "descriptor {} is watched already: a Stream has it, or another part of the program",
            fd));
    }
    ++watch.generation;
    return watch;
}

WatchTable::Watch* WatchTable::find(std::uint64_t mark) noexcept {
    const auto index = static_cast<std::size_t>(descriptor_of(mark));
    if (index >= watches_.size()) return nullptr;
    Watch& watch = watches_[index];
    return watch.handler && watch.generation == mark >> 32 ? &watch : nullptr;
}

WakeEvent::WakeEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!fd_) throw_errno("cannot make an eventfd");
}

void WakeEvent::set() noexcept {
    const std::uint64_t one = 1;
    while (::write(fd_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void WakeEvent::clear() noexcept {
    std::uint64_t ignored;
    [[maybe_unused]] const ssize_t n = ::read(fd_.get(), &ignored, sizeof ignored);
}

}  // namespace weft::aio::detail
