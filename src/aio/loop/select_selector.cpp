#include <algorithm>
#include <cerrno>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <sys/select.h>

#include "aio/loop/selector.h"
#include "aio/loop/watch_table.h"
#include "aio/task/errors.h"

namespace weft::aio {
namespace {

using detail::WakeEvent;
using detail::WatchTable;

// The oldest interface, for comparison and for systems without a better one. It takes only
// descriptors below 1,024.
class SelectSelector final : public Selector {
public:
    SelectSelector() {
        FD_ZERO(&reading_);
        FD_ZERO(&writing_);
        require_in_range(wake_.descriptor());
        FD_SET(wake_.descriptor(), &reading_);
    }

    std::string_view name() const override { return "select"; }
    bool is_edge_triggered() const override { return false; }

    void add(int fd, Interest interest, IoHandler& handler) override {
        require_in_range(fd);
        watches_.open(fd).handler = &handler;
        watched_.insert(fd);
        modify(fd, interest);
    }

    void modify(int fd, Interest interest) override {
        set(reading_, fd, interest.read);
        set(writing_, fd, interest.write);
    }

    void remove(int fd) noexcept override {
        watches_[fd].handler = nullptr;
        watched_.erase(fd);
        set(reading_, fd, false);
        set(writing_, fd, false);
    }

    void select(std::optional<Duration> timeout) override {
        timespec limit{};
        if (timeout) {
            limit.tv_sec = static_cast<time_t>(timeout->count() / 1'000'000'000);
            limit.tv_nsec = static_cast<long>(timeout->count() % 1'000'000'000);
        }
        // pselect() overwrites the sets, so it gets copies.
        fd_set readable = reading_;
        fd_set writable = writing_;
        const int highest = watched_.empty() ? -1 : *watched_.rbegin();
        const int count = ::pselect(std::max(highest, wake_.descriptor()) + 1, &readable, &writable,
                                    nullptr, timeout ? &limit : nullptr, nullptr);
        if (count < 0 && errno != EINTR) throw_errno("pselect");
        if (count > 0) deliver(readable, writable);
    }

    void wake() noexcept override { wake_.set(); }

private:
    static void require_in_range(int fd) {
        if (fd < FD_SETSIZE) return;
        throw IoError(
            fmt::format("descriptor {}: select knows only those below {}; choose another selector",
                        fd, FD_SETSIZE),
            std::make_error_code(std::errc::too_many_files_open));
    }

    static void set(fd_set& descriptors, int fd, bool wanted) noexcept {
        if (wanted) {
            FD_SET(fd, &descriptors);
        } else {
            FD_CLR(fd, &descriptors);
        }
    }

    // Handlers add and remove descriptors, so the events are collected before the first handler is
    // called. A hang-up shows as readable, an error as both; the next system call says which it
    // was.
    void deliver(const fd_set& readable, const fd_set& writable) {
        happened_.clear();
        if (FD_ISSET(wake_.descriptor(), &readable)) wake_.clear();
        for (const int fd : watched_) {
            const Readiness readiness{.readable = FD_ISSET(fd, &readable) != 0,
                                      .writable = FD_ISSET(fd, &writable) != 0};
            if (readiness.readable || readiness.writable) {
                happened_.push_back({watches_.mark(fd), readiness});
            }
        }
        for (const Event& event : happened_) {
            const WatchTable::Watch* watch = watches_.find(event.mark);
            if (watch) watch->handler->on_ready(event.readiness);
        }
    }

    struct Event {
        std::uint64_t mark;
        Readiness readiness;
    };

    WakeEvent wake_;
    WatchTable watches_;
    std::set<int> watched_;
    fd_set reading_;
    fd_set writing_;
    std::vector<Event> happened_;
};

}  // namespace

std::unique_ptr<Selector> make_select_selector() {
    return std::make_unique<SelectSelector>();
}

}  // namespace weft::aio
