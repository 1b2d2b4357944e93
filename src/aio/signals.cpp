#include "aio/signals.h"

#include <array>
#include <atomic>
#include <csignal>
#include <deque>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "aio/file_descriptor.h"
#include "aio/task.h"

namespace weft::aio {
namespace {

constexpr int kSignalMax = 64;

// The write end of the pipe of each handled signal: what the C handler may touch.
std::array<std::atomic<int>, kSignalMax + 1> write_ends;

// Interrupts that no loop has taken note of yet. At the third the loop is stuck, and the person at
// the keyboard means it.
std::atomic<int> unheard_interrupts;
constexpr int kUnheardInterruptsMax = 2;

extern "C" void note_signal(int signal) {
    const int saved = errno;
    if (signal == SIGINT && unheard_interrupts.fetch_add(1) >= kUnheardInterruptsMax) {
        ::signal(SIGINT, SIG_DFL);
        ::raise(SIGINT);
    }
    const int fd = write_ends[static_cast<std::size_t>(signal)].load() - 1;
    if (fd >= 0) {
        const char byte = 1;
        [[maybe_unused]] const ssize_t n = ::write(fd, &byte, 1);
    }
    errno = saved;
}

}  // namespace

struct SignalHandler::State final : IoHandler {
    State(int the_signal, Callback the_callback, EventLoop& the_loop)
        : signal(the_signal),
          callback(std::make_shared<Callback>(std::move(the_callback))),
          loop(the_loop) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw_errno("cannot make a signal pipe");
        read_end = FileDescriptor(ends[0]);
        write_end = FileDescriptor(ends[1]);
        loop.watch(read_end.get(), {.read = true}, *this);
        write_end_before = slot().exchange(write_end.get() + 1);
        struct sigaction action{};
        action.sa_handler = note_signal;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, &before);
    }

    ~State() {
        ::sigaction(signal, &before, nullptr);
        slot() = write_end_before;
        loop.unwatch(read_end.get());
    }

    void on_ready(Readiness) noexcept override {
        if (signal == SIGINT) unheard_interrupts = 0;
        char bytes[64];
        ssize_t count = 0;
        while ((count = ::read(read_end.get(), bytes, sizeof bytes)) > 0) {
            // Queued calls may outlive the handler: then they do nothing.
            for (; count > 0; --count) {
                loop.call_soon([weak = std::weak_ptr(callback)] {
                    if (const auto alive = weak.lock()) (*alive)();
                });
            }
        }
    }

    std::atomic<int>& slot() const { return write_ends[static_cast<std::size_t>(signal)]; }

    int signal;
    std::shared_ptr<Callback> callback;
    EventLoop& loop;
    FileDescriptor read_end;
    FileDescriptor write_end;
    int write_end_before = 0;
    struct sigaction before{};
};

SignalHandler::SignalHandler(int signal, Callback callback, EventLoop& loop)
    : state_(std::make_unique<State>(signal, std::move(callback), loop)) {}

SignalHandler::~SignalHandler() = default;

Co<int> signals(std::vector<int> which) {
    Future<int> came = create_future<int>();
    std::deque<SignalHandler> handlers;
    for (const int signal : which) {
        handlers.emplace_back(signal, [came, signal] {
            if (!came.done()) came.set_result(signal);
        });
    }
    co_return co_await came;
}

}  // namespace weft::aio
