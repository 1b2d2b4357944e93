#include <cerrno>

#include <poll.h>
#include <sys/epoll.h>

#include "aio/loop/selector.h"
#include "aio/loop/uring.h"
#include "aio/loop/watch_table.h"
#include "aio/task/errors.h"

namespace weft::aio {
namespace {

using detail::Uring;
using detail::WakeEvent;
using detail::WatchTable;

constexpr unsigned kRequestCount = 256;
constexpr unsigned kCompletionCount = 4096;

// Readiness through io_uring's poll requests. A watch with `edge` is one request that completes
// again and again, once per change. A watch without it is a request that completes once and is
// repeated after each completion.
//
// New watches go to the kernel with the next wait, so they need no system call of their own. A
// removal needs one: a pending request keeps its socket open, so it must be withdrawn before the
// close.
class UringSelector final : public Selector {
public:
    UringSelector() { ask_for_wake(); }

    std::string_view name() const override { return "io_uring"; }
    bool is_edge_triggered() const override { return true; }

    void add(int fd, Interest interest, IoHandler& handler) override {
        WatchTable::Watch& watch = watches_.open(fd);
        watch.handler = &handler;
        watch.interest = interest;
        ask(fd);
    }

    void modify(int fd, Interest interest) override {
        withdraw(fd);
        WatchTable::Watch& watch = watches_[fd];
        ++watch.generation;  // Completions of the old request are stale.
        watch.interest = interest;
        ask(fd);
    }

    void remove(int fd) noexcept override {
        withdraw(fd);
        ring_.submit();
        watches_[fd].handler = nullptr;
    }

    void select(std::optional<Duration> timeout) override {
        ring_.wait(timeout);
        while (const auto completion = ring_.next()) deliver(*completion);
    }

    void wake() noexcept override { wake_.set(); }

private:
    static constexpr std::uint64_t kWakeMark = UINT64_MAX;
    static constexpr std::uint64_t kNobodysMark = UINT64_MAX - 1;

    static std::uint32_t events_of(Interest interest) {
        // EPOLLPRI is for edge-triggered readers only, as in the epoll selector.
        return (interest.read ? EPOLLIN | EPOLLRDHUP : 0u) |
               (interest.read && interest.edge ? EPOLLPRI : 0u) | (interest.write ? EPOLLOUT : 0u);
    }

    void ask(int fd) {
        const WatchTable::Watch& watch = watches_[fd];
        const std::uint32_t events = events_of(watch.interest);
        if (events == 0) return;
        io_uring_sqe& request = ring_.request();
        request.opcode = IORING_OP_POLL_ADD;
        request.fd = fd;
        request.poll32_events = events;
        request.len = watch.interest.edge ? IORING_POLL_ADD_MULTI : 0;
        request.user_data = watches_.mark(fd);
    }

    // IORING_OP_POLL_REMOVE would not do: it does not cancel a request that is just completing, and
    // such a request would keep the file open for ever.
    void withdraw(int fd) noexcept {
        if (events_of(watches_[fd].interest) == 0) return;
        io_uring_sqe& request = ring_.request();
        request.opcode = IORING_OP_ASYNC_CANCEL;
        request.fd = -1;
        request.addr = watches_.mark(fd);
        request.user_data = kNobodysMark;
    }

    void ask_for_wake() {
        io_uring_sqe& request = ring_.request();
        request.opcode = IORING_OP_POLL_ADD;
        request.fd = wake_.descriptor();
        request.poll32_events = POLLIN;
        request.user_data = kWakeMark;
    }

    void deliver(const Uring::Completion& completion) {
        if (completion.mark == kNobodysMark) return;
        if (completion.mark == kWakeMark) {
            wake_.clear();
            ask_for_wake();
            return;
        }
        const WatchTable::Watch* watch = watches_.find(completion.mark);
        if (!watch || completion.result == -ECANCELED) return;
        // A request that failed is reported as an error of the descriptor.
        const auto events = completion.result < 0 ? std::uint32_t{EPOLLERR}
                                                  : static_cast<std::uint32_t>(completion.result);
        const bool broken = events & (EPOLLERR | EPOLLHUP);
        watch->handler->on_ready({.readable = broken || events & (EPOLLIN | EPOLLRDHUP),
                                  .writable = broken || events & EPOLLOUT,
                                  .hup = broken || events & EPOLLRDHUP,
                                  .urgent = (events & EPOLLPRI) != 0});
        // The handler may have removed or changed the watch.
        if (!completion.goes_on && completion.result >= 0 && watches_.find(completion.mark)) {
            ask(WatchTable::descriptor_of(completion.mark));
        }
    }

    Uring ring_{kRequestCount, kCompletionCount};
    WakeEvent wake_;
    WatchTable watches_;
};

}  // namespace

std::unique_ptr<Selector> make_uring_selector() {
    return std::make_unique<UringSelector>();
}

}  // namespace weft::aio
