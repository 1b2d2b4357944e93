#include "aio/signals.h"

#include <array>
#include <atomic>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "aio/file_descriptor.h"

namespace weft::aio {
namespace {

constexpr int kSignalMax = 64;

// The write end of the pipe of each handled signal: what the C handler may touch.
std::array<std::atomic<int>, kSignalMax + 1> write_ends;

extern "C" void note_signal(int signal) {
    const int saved = errno;
    const int fd = write_ends[static_cast<std::size_t>(signal)].load() - 1;
    if (fd >= 0) {
        const char byte = 1;
        [[maybe_unused]] const ssize_t n = ::write(fd, &byte, 1);
    }
    errno = saved;
}

}  // namespace

struct SignalHandler::State final : IoHandler {
    State(int the_signal, Callback the_callback)
        : signal(the_signal), callback(std::move(the_callback)), loop(EventLoop::running()) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw_errno("cannot make a signal pipe");
        read_end = FileDescriptor(ends[0]);
        write_end = FileDescriptor(ends[1]);
        loop.watch(read_end.get(), {.read = true}, *this);
        write_ends[static_cast<std::size_t>(signal)] = write_end.get() + 1;
        struct sigaction action{};
        action.sa_handler = note_signal;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, &before);
    }

    ~State() {
        ::sigaction(signal, &before, nullptr);
        write_ends[static_cast<std::size_t>(signal)] = 0;
        loop.unwatch(read_end.get());
    }

    void on_ready(Readiness) noexcept override {
        char bytes[64];
        const ssize_t n = ::read(read_end.get(), bytes, sizeof bytes);
        for (ssize_t i = 0; i < n; ++i) loop.call_soon([this] { callback(); });
    }

    int signal;
    Callback callback;
    EventLoop& loop;
    FileDescriptor read_end;
    FileDescriptor write_end;
    struct sigaction before{};
};

SignalHandler::SignalHandler(int signal, Callback callback)
    : state_(std::make_unique<State>(signal, std::move(callback))) {}

SignalHandler::~SignalHandler() = default;

}  // namespace weft::aio
