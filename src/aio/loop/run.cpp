#include "aio/loop/run.h"

#include <csignal>
#include <optional>

#include <unistd.h>

#include "aio/files/files.h"
#include "aio/loop/executor.h"
#include "aio/loop/selector.h"
#include "aio/net/socket_network.h"
#include "aio/process/signals.h"
#include "base/log.h"
#include "base/random.h"

namespace weft::aio {

struct SystemPlatform::Parts {
    explicit Parts(const ResolverOptions& resolver_options) : network(resolver_options) {}

    SystemClock clock;
    std::unique_ptr<Selector> selector = make_default_selector();
    SocketNetwork network;
    SystemFiles files;
    ThreadPool executor;
    Random random = Random::from_system();
};

SystemPlatform::SystemPlatform(const ResolverOptions& resolver_options)
    : parts_(std::make_unique<Parts>(resolver_options)) {}

SystemPlatform::~SystemPlatform() = default;

Platform SystemPlatform::get() const {
    return {.clock = &parts_->clock,
            .selector = parts_->selector.get(),
            .network = &parts_->network,
            .files = &parts_->files,
            .executor = &parts_->executor,
            .random = &parts_->random};
}

namespace {

bool is_main_thread() {
    // On Linux the id of the main thread is that of the process.
    return ::gettid() == ::getpid();
}

// A handler that the program has installed itself is left alone.
bool is_handled(int signal) {
    struct sigaction action{};
    ::sigaction(signal, nullptr, &action);
    return action.sa_handler != SIG_DFL;
}

// Cancels the main task at the first interrupt. The second one gets the system's default action.
class InterruptScope {
public:
    InterruptScope(EventLoop& loop, TaskBase& main)
        : main_(main), handler_(SIGINT, [this] { on_interrupt(); }, loop) {}

    bool was_interrupted() const { return count_ > 0; }

private:
    void on_interrupt() {
        if (++count_ == 1) {
            main_.cancel();
            return;
        }
        // The default action ends the process with the status of a signal, which shells expect.
        ::signal(SIGINT, SIG_DFL);
        ::raise(SIGINT);
    }

    TaskBase& main_;
    int count_ = 0;
    SignalHandler handler_;
};

}  // namespace

void throw_stopped() {
    throw InvalidStateError("the loop was stopped before the coroutine had ended");
}

struct Runner::Parts {
    explicit Parts(RunOptions the_options)
        : options(std::move(the_options)), platform(options.resolver), loop(platform.get()) {
        loop.set_debug(options.debug);
        loop.set_slow_step(options.slow_step);
        loop.set_closing_patience(options.closing_patience);
        if (options.exception_handler) loop.set_exception_handler(options.exception_handler);
    }

    RunOptions options;
    SystemPlatform platform;
    EventLoop loop;
    bool closed = false;
};

Runner::Runner(RunOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}

Runner::~Runner() {
    close();
}

EventLoop& Runner::get_loop() {
    if (parts_->closed) throw InvalidStateError("the Runner was closed");
    return parts_->loop;
}

void Runner::close() {
    if (!std::exchange(parts_->closed, true)) parts_->loop.shutdown();
}

void Runner::run_until_done(TaskBase& main) {
    EventLoop& loop = parts_->loop;
    std::optional<SignalHandler> dump;
    std::optional<InterruptScope> interrupt;
    if (is_main_thread()) {
        if (loop.debug() && !is_handled(SIGUSR1)) {
            dump.emplace(
                SIGUSR1, [&loop] { log(LogLevel::warning, "{}", dump_tasks(loop)); }, loop);
        }
        if (parts_->options.interruptible && !is_handled(SIGINT)) interrupt.emplace(loop, main);
    }
    if (!loop.run_until_done(main.future())) throw_stopped();
    const bool was_ended = interrupt && interrupt->was_interrupted() && main.future().cancelled();
    // If another cancellation request is left, run() throws CancelledError instead.
    if (was_ended && main.uncancel() == 0) throw KeyboardInterrupt();
}

}  // namespace weft::aio
