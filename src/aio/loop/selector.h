#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"

namespace weft::aio {

// What to watch a file descriptor for. With `edge`, where the selector can do it, an event comes
// once per change, and the watcher must read or write until EAGAIN; else as long as the state
// lasts.
struct Interest {
    bool read = false;
    bool write = false;
    bool edge = false;
};

// What happened. An error or a hang-up sets both directions: the next system call says which.
// `hup`: the peer will send no more. `urgent`: a read may stop short of what there is (TCP's urgent
// data); asked for together with reading.
struct Readiness {
    bool readable = false;
    bool writable = false;
    bool hup = false;
    bool urgent = false;
};

// Told of what happens on its descriptor. Only notes and schedules; never runs user code.
class IoHandler {
public:
    virtual void on_ready(Readiness readiness) noexcept = 0;

protected:
    ~IoHandler() = default;
};

// Waiting for many descriptors at once: the seam to epoll and its kin. Owned by one loop, on its
// thread (but for wake()).
//
// A descriptor is removed before it is closed. An event of a removed descriptor is never delivered,
// also when its number was given to a new one in between.
class Selector {
public:
    virtual ~Selector() = default;

    virtual std::string_view name() const = 0;

    // True when Interest::edge is honoured. Otherwise whoever watches names only the directions in
    // which somebody waits, and changes them with modify(); naming none is allowed.
    virtual bool is_edge_triggered() const = 0;

    virtual void add(int fd, Interest interest, IoHandler& handler) = 0;
    virtual void modify(int fd, Interest interest) = 0;
    virtual void remove(int fd) noexcept = 0;

    // Waits until something is ready, wake() is called or `timeout` has passed (none: for ever),
    // and tells the handlers. A signal may end it early.
    virtual void select(std::optional<Duration> timeout) = 0;

    // Ends a select() under way, or the next one. From any thread.
    virtual void wake() noexcept = 0;
};

// The kinds there are; docs/internals/selectors.md compares them. Each throws IoError if the kernel
// gives none.
std::unique_ptr<Selector> make_epoll_selector();   // The default on Linux.
std::unique_ptr<Selector> make_poll_selector();    // Level-triggered, POSIX.
std::unique_ptr<Selector> make_select_selector();  // Level-triggered, descriptors below 1,024.
std::unique_ptr<Selector> make_uring_selector();   // Poll requests; Linux 5.13 where allowed.

// By name: "epoll", "io_uring", "poll", "select". Throws UsageError for another name, and where the
// system does not allow the one asked for.
std::unique_ptr<Selector> make_selector(std::string_view name);

// epoll, or the one that the environment names: WEFT_SELECTOR=poll.
std::unique_ptr<Selector> make_default_selector();

}  // namespace weft::aio
