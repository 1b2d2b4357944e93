#include <cerrno>
#include <vector>

#include <poll.h>

#include "aio/loop/selector.h"
#include "aio/loop/watch_table.h"
#include "aio/task/errors.h"

namespace weft::aio {
namespace {

using detail::WakeEvent;
using detail::WatchTable;

// The POSIX selector. Each call gives the kernel all descriptors, so a wait costs in proportion to
// their number.
class PollSelector final : public Selector {
public:
    PollSelector() { polled_.push_back({.fd = wake_.descriptor(), .events = POLLIN}); }

    std::string_view name() const override { return "poll"; }
    bool is_edge_triggered() const override { return false; }

    void add(int fd, Interest interest, IoHandler& handler) override {
        WatchTable::Watch& watch = watches_.open(fd);
        watch.handler = &handler;
        watch.place = static_cast<std::uint32_t>(polled_.size());
        owners_.push_back(fd);
        polled_.push_back(entry_of(fd, interest));
    }

    void modify(int fd, Interest interest) override {
        polled_[watches_[fd].place] = entry_of(fd, interest);
    }

    void remove(int fd) noexcept override {
        WatchTable::Watch& watch = watches_[fd];
        watch.handler = nullptr;
        // The last entry fills the gap, so the entries stay dense.
        polled_[watch.place] = polled_.back();
        owners_[watch.place] = owners_.back();
        watches_[owners_.back()].place = watch.place;
        polled_.pop_back();
        owners_.pop_back();
    }

    void select(std::optional<Duration> timeout) override {
        timespec limit{};
        if (timeout) {
            limit.tv_sec = static_cast<time_t>(timeout->count() / 1'000'000'000);
            limit.tv_nsec = static_cast<long>(timeout->count() % 1'000'000'000);
        }
        const int count =
            ::ppoll(polled_.data(), polled_.size(), timeout ? &limit : nullptr, nullptr);
        if (count < 0 && errno != EINTR) throw_errno("ppoll");
        if (count > 0) deliver();
    }

    void wake() noexcept override { wake_.set(); }

private:
    struct Event {
        std::uint64_t mark;
        short events;
    };

    // An entry without a direction is switched off: poll() reports a hang-up even if it is not
    // asked for, which would end every wait at once.
    static pollfd entry_of(int fd, Interest interest) {
        const auto events = static_cast<short>((interest.read ? POLLIN | POLLRDHUP : 0) |
                                               (interest.write ? POLLOUT : 0));
        return {.fd = events ? fd : -1, .events = events};
    }

    // Handlers add and remove entries, so the events are collected before the first handler is
    // called.
    void deliver() {
        happened_.clear();
        if (polled_[0].revents) wake_.clear();
        for (std::size_t i = 1; i < polled_.size(); ++i) {
            if (polled_[i].fd >= 0 && polled_[i].revents) {
                happened_.push_back({watches_.mark(polled_[i].fd), polled_[i].revents});
            }
        }
        for (const Event& event : happened_) {
            const WatchTable::Watch* watch = watches_.find(event.mark);
            if (!watch) continue;
            const bool broken = event.events & (POLLERR | POLLHUP | POLLNVAL);
            watch->handler->on_ready({.readable = broken || event.events & (POLLIN | POLLRDHUP),
                                      .writable = broken || event.events & POLLOUT,
                                      .hup = broken || event.events & POLLRDHUP});
        }
    }

    WakeEvent wake_;
    WatchTable watches_;
    std::vector<pollfd> polled_;   // The wake event is the first entry.
    std::vector<int> owners_{-1};  // The descriptor of each entry, also of those switched off.
    std::vector<Event> happened_;
};

}  // namespace

std::unique_ptr<Selector> make_poll_selector() {
    return std::make_unique<PollSelector>();
}

}  // namespace weft::aio
