#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include <sys/epoll.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/selector.h"
#include "aio/loop/watch_table.h"
#include "aio/task/errors.h"

namespace weft::aio {
namespace {

using detail::WakeEvent;
using detail::WatchTable;

// The default. The kernel keeps the list of descriptors, so a wait costs as much as is ready.
class EpollSelector final : public Selector {
public:
    EpollSelector() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
        if (!epoll_) throw_errno("cannot make an epoll selector");
        control(EPOLL_CTL_ADD, wake_.descriptor(), EPOLLIN, kWakeMark);
    }

    std::string_view name() const override { return "epoll"; }
    bool is_edge_triggered() const override { return true; }

    void add(int fd, Interest interest, IoHandler& handler) override {
        WatchTable::Watch& watch = watches_.open(fd);
        control(EPOLL_CTL_ADD, fd, events_of(interest), watches_.mark(fd));
        // Set last: if epoll refuses the descriptor, it is not watched.
        watch.handler = &handler;
    }

    void modify(int fd, Interest interest) override {
        control(EPOLL_CTL_MOD, fd, events_of(interest), watches_.mark(fd));
    }

    void remove(int fd) noexcept override {
        epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
        watches_[fd].handler = nullptr;
    }

    void select(std::optional<Duration> timeout) override {
        std::array<epoll_event, 256> events;
        const int count = wait(events, timeout);
        for (int i = 0; i < count; ++i) deliver(events[static_cast<std::size_t>(i)]);
    }

    void wake() noexcept override { wake_.set(); }

private:
    static constexpr std::uint64_t kWakeMark = UINT64_MAX;

    static std::uint32_t events_of(Interest interest) {
        // EPOLLPRI: urgent data can make a read short although more bytes follow; see
        // Readiness::urgent. Only edge-triggered readers depend on it, and a level-triggered watch
        // would report urgent data again and again until somebody takes it.
        return (interest.read ? EPOLLIN | EPOLLRDHUP : 0u) |
               (interest.read && interest.edge ? EPOLLPRI : 0u) | (interest.write ? EPOLLOUT : 0u) |
               (interest.edge ? static_cast<std::uint32_t>(EPOLLET) : 0u);
    }

    void control(int operation, int fd, std::uint32_t events, std::uint64_t data) {
        epoll_event event{.events = events, .data = {.u64 = data}};
        if (epoll_ctl(epoll_.get(), operation, fd, &event) != 0) throw_errno("epoll_ctl");
    }

    int wait(std::span<epoll_event> events, std::optional<Duration> timeout) {
        int count = is_fine_ ? wait_finely(events, timeout) : wait_coarsely(events, timeout);
        // Kernels before 5.11 do not have the call, and sandboxes older than it deny it.
        if (count < 0 && is_fine_ && (errno == ENOSYS || errno == EPERM)) {
            is_fine_ = false;
            count = wait_coarsely(events, timeout);
        }
        if (count < 0 && errno != EINTR) throw_errno("epoll_wait");
        return count;
    }

    int wait_finely(std::span<epoll_event> events, std::optional<Duration> timeout) const {
        timespec limit{};
        if (timeout) {
            limit.tv_sec = static_cast<time_t>(timeout->count() / 1'000'000'000);
            limit.tv_nsec = static_cast<long>(timeout->count() % 1'000'000'000);
        }
        return epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()),
                            timeout ? &limit : nullptr, nullptr);
    }

    // Rounds up to whole milliseconds. A wait that ends too early would make the loop spin until
    // the time.
    int wait_coarsely(std::span<epoll_event> events, std::optional<Duration> timeout) const {
        constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24);
        const auto limit =
            timeout ? static_cast<int>(
                          std::min(std::chrono::ceil<std::chrono::milliseconds>(*timeout), kLongest)
                              .count())
                    : -1;
        return epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), limit);
    }

    void deliver(const epoll_event& event) noexcept {
        if (event.data.u64 == kWakeMark) {
            wake_.clear();
            return;
        }
        const WatchTable::Watch* watch = watches_.find(event.data.u64);
        if (!watch) return;
        const bool broken = event.events & (EPOLLERR | EPOLLHUP);
        watch->handler->on_ready({.readable = broken || event.events & (EPOLLIN | EPOLLRDHUP),
                                  .writable = broken || event.events & EPOLLOUT,
                                  .hup = broken || event.events & EPOLLRDHUP,
                                  .urgent = (event.events & EPOLLPRI) != 0});
    }

    FileDescriptor epoll_;
    bool is_fine_ = true;  // Whether the kernel takes timeouts in nanoseconds.
    WakeEvent wake_;
    WatchTable watches_;
};

}  // namespace

std::unique_ptr<Selector> make_epoll_selector() {
    return std::make_unique<EpollSelector>();
}

}  // namespace weft::aio
