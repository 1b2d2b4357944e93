#include "aio/process/signals.h"

#include <array>
#include <atomic>
#include <csignal>
#include <deque>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"
#include "aio/task/task.h"

namespace weft::aio {
namespace {

constexpr int kSignalMax = 64;

// The write end of each signal's pipe, plus one (0: none). It is all that the C handler uses. It is
// never closed: a handler on another thread could write to a new descriptor with the same number.
std::array<std::atomic<int>, kSignalMax + 1> write_ends;

// Interrupts that no loop has seen yet. At the third one the loop is stuck, and the interrupt gets
// its default action.
std::atomic<int> unheard_interrupts;
constexpr int kUnheardInterruptsMax = 2;

// Runs in a signal handler: only async-signal-safe calls, and errno as it was (signal-safety(7)).
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

// One handler, with its own descriptor on its loop: a copy of the read end of the signal's pipe.
// The first loop that wakes up reads the pipe and calls all handlers.
struct SignalHandler::State final : IoHandler {
    State(int the_signal, Callback the_callback, EventLoop& the_loop, bool is_shared);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void on_ready(Readiness) noexcept override;

    // A queued call may outlive the handler; then it does nothing.
    void tell() {
        loop.call_soon_threadsafe([weak = std::weak_ptr(callback)] {
            if (const auto alive = weak.lock()) (*alive)();
        });
    }

    const int signal;
    const bool shared;  // Earlier shared handlers are called too.
    std::shared_ptr<Callback> callback;
    EventLoop& loop;
    FileDescriptor read_end;
};

namespace {

// All handlers of all signals and loops. Never destroyed, as a signal may come at any time.
class SignalTable {
public:
    static SignalTable& get() {
        static auto* const table = new SignalTable;
        return *table;
    }

    // Adds the handler and returns the descriptor that its loop watches. Throws IoError.
    FileDescriptor add(SignalHandler::State& state) {
        const std::lock_guard lock(mutex_);
        Line& line = line_of(state.signal);
        if (!line.read_end) open(state.signal, line);
        FileDescriptor copy(::fcntl(line.read_end.get(), F_DUPFD_CLOEXEC, 0));
        if (!copy) throw_errno("cannot watch a signal");
        deliver(line, state.signal);  // The new handler must not get earlier deliveries.
        if (line.handlers.empty()) take_over(state.signal, line);
        line.handlers.push_back(&state);
        return copy;
    }

    void remove(SignalHandler::State& state) noexcept {
        const std::lock_guard lock(mutex_);
        Line& line = line_of(state.signal);
        std::erase(line.handlers, &state);
        if (line.handlers.empty()) give_back(state.signal, line);
    }

    void deliver(int signal) {
        const std::lock_guard lock(mutex_);
        deliver(line_of(signal), signal);
    }

private:
    struct Line {
        FileDescriptor read_end;
        std::vector<SignalHandler::State*> handlers;  // The newest is last.
        struct sigaction before{};
    };

    Line& line_of(int signal) { return lines_.at(static_cast<std::size_t>(signal)); }

    static void open(int signal, Line& line) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw_errno("cannot make a signal pipe");
        line.read_end = FileDescriptor(ends[0]);
        write_ends[static_cast<std::size_t>(signal)] = ends[1] + 1;
    }

    static void take_over(int signal, Line& line) {
        struct sigaction action{};
        action.sa_handler = note_signal;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, &line.before);
    }

    // Restores the earlier action, unless the program has installed another handler since.
    static void give_back(int signal, const Line& line) {
        struct sigaction now{};
        ::sigaction(signal, nullptr, &now);
        if (now.sa_handler == note_signal) ::sigaction(signal, &line.before, nullptr);
    }

    // For each delivery calls the newest handler. If that is a shared one, also calls the shared
    // ones before it, down to the first that is not shared.
    static void deliver(const Line& line, int signal) {
        char bytes[64];
        ssize_t count = 0;
        while ((count = ::read(line.read_end.get(), bytes, sizeof bytes)) > 0) {
            if (signal == SIGINT) unheard_interrupts = 0;
            for (; count > 0; --count) tell(line);
        }
    }

    static void tell(const Line& line) {
        bool was_told = false;
        for (std::size_t i = line.handlers.size(); i > 0; --i) {
            SignalHandler::State& handler = *line.handlers[i - 1];
            if (handler.shared || !was_told) handler.tell();
            if (!handler.shared) return;
            was_told = true;
        }
    }

    // Guards lines_: handlers of several loops' threads come and go.
    std::mutex mutex_;
    std::array<Line, kSignalMax + 1> lines_;
};

}  // namespace

SignalHandler::State::State(int the_signal, Callback the_callback, EventLoop& the_loop,
                            bool is_shared)
    : signal(the_signal),
      shared(is_shared),
      callback(std::make_shared<Callback>(std::move(the_callback))),
      loop(the_loop) {
    if (signal < 1 || signal > kSignalMax) {
        throw IoError(fmt::format("cannot handle signal {}", signal),
                      std::make_error_code(std::errc::invalid_argument));
    }
    read_end = SignalTable::get().add(*this);
    try {
        loop.watch(read_end.get(), {.read = true}, *this);
    } catch (...) {
        SignalTable::get().remove(*this);
        throw;
    }
}

SignalHandler::State::~State() {
    // First out of the table, so that no other thread calls it any more.
    SignalTable::get().remove(*this);
    loop.unwatch(read_end.get());
}

void SignalHandler::State::on_ready(Readiness) noexcept {
    SignalTable::get().deliver(signal);
}

SignalHandler::SignalHandler(int signal, Callback callback, EventLoop& loop)
    : state_(std::make_unique<State>(signal, std::move(callback), loop, false)) {}

SignalHandler::SignalHandler(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

SignalHandler::~SignalHandler() = default;
SignalHandler::SignalHandler(SignalHandler&&) noexcept = default;

SignalHandler SignalHandler::shared(int signal, Callback callback) {
    return SignalHandler(
        std::make_unique<State>(signal, std::move(callback), EventLoop::running(), true));
}

Co<int> signals(std::vector<int> which) {
    Future<int> came = create_future<int>();
    std::deque<SignalHandler> handlers;
    for (const int signal : which) {
        handlers.push_back(SignalHandler::shared(signal, [came, signal] {
            if (!came.done()) came.set_result(signal);
        }));
    }
    co_return co_await came;
}

}  // namespace weft::aio
