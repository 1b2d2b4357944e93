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
// `hup`: the peer will send no more.
struct Readiness {
    bool readable = false;
    bool writable = false;
    bool hup = false;
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

    // True when Interest::edge is honoured. Otherwise the loop names only the directions in which
    // somebody waits, and changes them with modify().
    virtual bool is_edge_triggered() const = 0;

    virtual void add(int fd, Interest interest, IoHandler& handler) = 0;
    virtual void modify(int fd, Interest interest) = 0;
    virtual void remove(int fd) noexcept = 0;

    // Waits until something is ready, wake() is called or `timeout` has passed (none: for ever),
    // and tells the handlers.
    virtual void select(std::optional<Duration> timeout) = 0;

    // Ends a select() under way, or the next one. From any thread.
    virtual void wake() noexcept = 0;
};

// epoll, the default on Linux. Throws IoError if the kernel gives none.
std::unique_ptr<Selector> make_epoll_selector();

// The best selector of this system, or the one that the environment names (WEFT_SELECTOR=epoll).
std::unique_ptr<Selector> make_default_selector();

}  // namespace weft::aio
