#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"

namespace weft::aio {

// What to watch a file descriptor for. With `edge`, if the selector supports it, an event comes
// once per change, and the watcher must read or write until EAGAIN. Otherwise events come as long
// as the state lasts.
struct Interest {
    bool read = false;
    bool write = false;
    bool edge = false;
};

// What happened. An error or a hang-up sets both directions; the next system call says what it was.
// `hup`: the peer will send no more. `urgent`: a read may stop before the end of the available
// bytes (TCP's urgent data); it is reported together with reading.
struct Readiness {
    bool readable = false;
    bool writable = false;
    bool hup = false;
    bool urgent = false;
};

// Gets the events of its descriptor. It may only record and schedule, and never runs user code.
class IoHandler {
public:
    virtual void on_ready(Readiness readiness) noexcept = 0;

protected:
    ~IoHandler() = default;
};

// Waits for many descriptors at once: the interface to epoll and the like. Owned by one loop and
// used on its thread, except wake().
//
// A descriptor must be removed before it is closed. An event of a removed descriptor is never
// delivered, even if its number was given to a new descriptor in between.
class Selector {
public:
    virtual ~Selector() = default;

    virtual std::string_view name() const = 0;

    // Whether Interest::edge is honoured. If not, the watcher names only the directions in which a
    // task waits, and changes them with modify(); naming none is allowed.
    virtual bool is_edge_triggered() const = 0;

    virtual void add(int fd, Interest interest, IoHandler& handler) = 0;
    virtual void modify(int fd, Interest interest) = 0;
    virtual void remove(int fd) noexcept = 0;

    // Waits until a descriptor is ready, wake() is called or `timeout` has passed (none: without
    // limit), and calls the handlers. A signal may end the wait early.
    virtual void select(std::optional<Duration> timeout) = 0;

    // Ends the current select(), or the next one. From any thread.
    virtual void wake() noexcept = 0;
};

// The available kinds; docs/internals/selectors.md compares them. Each throws IoError if the kernel
// does not provide it.
std::unique_ptr<Selector> make_epoll_selector();   // The default on Linux.
std::unique_ptr<Selector> make_poll_selector();    // Level-triggered, POSIX.
std::unique_ptr<Selector> make_select_selector();  // Level-triggered, descriptors below 1,024.
std::unique_ptr<Selector> make_uring_selector();   // Poll requests; Linux 5.13 where allowed.

// By name: "epoll", "io_uring", "poll", "select". Throws UsageError for any other name, and if the
// system does not allow the one asked for.
std::unique_ptr<Selector> make_selector(std::string_view name);

// epoll, or the selector that the environment names: WEFT_SELECTOR=poll.
std::unique_ptr<Selector> make_default_selector();

}  // namespace weft::aio
