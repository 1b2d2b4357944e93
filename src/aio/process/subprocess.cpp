#include "aio/process/subprocess.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aio/loop/loop.h"
#include "aio/process/pipe.h"
#include "aio/sync/event.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"

extern char** environ;

namespace weft::aio {
namespace {

// The child by its descriptor (pidfd), not its number, which the system may reuse after its end.
// The descriptor becomes readable when the child ends, so neither SIGCHLD nor a thread is needed.
// Shared by the Process and its waiters.
class Child final : public IoHandler {
public:
    // REQUIRES: `pid` is a child that has not been waited for.
    Child(pid_t pid, const std::string& program)
        : fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), loop_(EventLoop::running()) {
        if (fd_) {
            loop_.watch(fd_.get(), {.read = true}, *this);
        } else if (errno == ESRCH) {  // SIGCHLD is ignored, and the child has already ended.
            status_ = kUnknownStatus;
            ended_.set();
        } else {
            throw_errno(fmt::format("cannot watch {}", program));
        }
    }
    ~Child() { unwatch(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    Event::Wait until_ended() { return ended_.wait(); }

    // The status that a wait() has seen. After the end, take_status() asks the system for it.
    std::optional<int> status() const { return status_; }
    int take_status() {
        if (!status_) reap(WNOHANG);
        return *status_;
    }

    void send_signal(int signal) const noexcept {
        if (!status_ && fd_) ::syscall(SYS_pidfd_send_signal, fd_.get(), signal, nullptr, 0);
    }

    // Kills the child if it has not ended, and waits for its end.
    void end() noexcept {
        if (status_) return;
        send_signal(SIGKILL);
        reap(0);
        unwatch();
        ended_.set();
    }

    void on_ready(Readiness) noexcept override {
        unwatch();
        ended_.set();
    }

private:
    static constexpr int kUnknownStatus = 255;  // The same value as in asyncio.

    void reap(int how) noexcept {
        siginfo_t info{};
        int result = -1;
        do {
            result = ::waitid(P_PIDFD, static_cast<id_t>(fd_.get()), &info, WEXITED | how);
        } while (result != 0 && errno == EINTR);
        if (result != 0 || info.si_pid == 0) {  // Other code of the program has waited for it.
            status_ = kUnknownStatus;
        } else {
            status_ = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
        }
    }

    void unwatch() noexcept {
        if (fd_ && !ended_.is_set()) loop_.unwatch(fd_.get());
    }

    FileDescriptor fd_;
    EventLoop& loop_;
    Event ended_;
    std::optional<int> status_;
};

// The settings for starting a child.
class Spawn {
public:
    Spawn() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        // The loop's thread may block signals; the child starts with none blocked.
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
    }
    ~Spawn() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    Spawn(const Spawn&) = delete;
    Spawn& operator=(const Spawn&) = delete;

    // Returns our end of the pipe, if one was requested. The child's end is kept until the start.
    FileDescriptor redirect(int number, Redirect how) {
        if (how == Redirect::inherit) return FileDescriptor();
        const bool is_input = number == STDIN_FILENO;
        if (how == Redirect::null) {
            posix_spawn_file_actions_addopen(&actions_, number, "/dev/null",
                                             is_input ? O_RDONLY : O_WRONLY, 0);
            return FileDescriptor();
        }
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("cannot make a pipe");
        FileDescriptor read_end(ends[0]);
        FileDescriptor write_end(ends[1]);
        FileDescriptor& theirs = is_input ? read_end : write_end;
        posix_spawn_file_actions_adddup2(&actions_, theirs.get(), number);
        kept_.push_back(std::move(theirs));
        return std::move(is_input ? write_end : read_end);
    }

    pid_t start(std::vector<std::string>& arguments, std::vector<std::string>* environment) {
        std::vector<char*> argv = pointers(arguments);
        std::vector<char*> envp;
        if (environment) envp = pointers(*environment);
        pid_t pid = -1;
        const int error = posix_spawnp(&pid, argv[0], &actions_, &attributes_, argv.data(),
                                       environment ? envp.data() : environ);
        if (error != 0) {
            throw IoError(fmt::format("cannot start {}", arguments[0]),
                          std::error_code(error, std::system_category()));
        }
        return pid;
    }

private:
    static std::vector<char*> pointers(std::vector<std::string>& strings) {
        std::vector<char*> result;
        for (std::string& text : strings) result.push_back(text.data());
        result.push_back(nullptr);
        return result;
    }

    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
    std::vector<FileDescriptor> kept_;
};

}  // namespace

struct Process::State {
    ~State() {
        if (child) child->end();
    }

    Stream& stream(std::optional<Stream>& of, const char* name) const {
        if (of) return *of;
        throw InvalidStateError(
            fmt::format("the {} of process {} is no pipe: ask for Redirect::pipe", name, pid));
    }

    pid_t pid = -1;
    std::shared_ptr<Child> child;
    std::optional<Stream> input;
    std::optional<Stream> output;
    std::optional<Stream> error;
};

Process::Process(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Process::~Process() = default;
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;

pid_t Process::pid() const {
    return state_->pid;
}

std::optional<int> Process::returncode() const {
    return state_->child->status();
}

Stream& Process::standard_input() {
    return state_->stream(state_->input, "standard input");
}

Stream& Process::standard_output() {
    return state_->stream(state_->output, "standard output");
}

Stream& Process::standard_error() {
    return state_->stream(state_->error, "standard error");
}

Co<int> Process::wait() {
    // The Process may be destroyed during the wait.
    const std::shared_ptr<Child> child = state_->child;
    co_await child->until_ended();
    co_return child->take_status();
}

void Process::send_signal(int signal) noexcept {
    state_->child->send_signal(signal);
}

void Process::terminate() noexcept {
    send_signal(SIGTERM);
}

void Process::kill() noexcept {
    send_signal(SIGKILL);
}

namespace {

Co<> feed(Stream& stream, std::string_view input) {
    try {
        co_await stream.write(input);
    } catch (const IoError&) {
        // A child may end without reading everything.
    }
    stream.close();
}

Co<> drain(Stream& stream, std::string& into, std::size_t bytes_max) {
    into = co_await stream.read(bytes_max);
}

}  // namespace

Co<Process::Output> Process::communicate(std::string input, std::size_t bytes_max) {
    Output result;
    // All at once, as a child may wait for one pipe while it fills another.
    std::vector<Co<>> parts;
    if (state_->input) parts.push_back(feed(*state_->input, input));
    if (state_->output) {
        parts.push_back(drain(*state_->output, result.standard_output, bytes_max));
    }
    if (state_->error) {
        parts.push_back(drain(*state_->error, result.standard_error, bytes_max));
    }
    co_await gather(std::move(parts));
    co_await wait();
    co_return result;
}

Co<Process> create_subprocess_exec(std::vector<std::string> arguments, SubprocessOptions options) {
    if (arguments.empty()) throw InvalidStateError("create_subprocess_exec() needs a program");
    auto state = std::make_unique<Process::State>();
    {
        Spawn spawn;
        FileDescriptor input = spawn.redirect(STDIN_FILENO, options.standard_input);
        FileDescriptor output = spawn.redirect(STDOUT_FILENO, options.standard_output);
        FileDescriptor error = spawn.redirect(STDERR_FILENO, options.standard_error);
        state->pid = spawn.start(arguments, options.environment ? &*options.environment : nullptr);
        try {
            state->child = std::make_shared<Child>(state->pid, arguments[0]);
        } catch (...) {
            // The number is still valid: the child has not been waited for.
            ::kill(state->pid, SIGKILL);
            ::waitpid(state->pid, nullptr, 0);
            throw;
        }
        if (input) state->input = adopt_pipe(std::move(input), "input of " + arguments[0]);
        if (output) state->output = adopt_pipe(std::move(output), "output of " + arguments[0]);
        if (error) state->error = adopt_pipe(std::move(error), "errors of " + arguments[0]);
    }
    co_return Process(std::move(state));
}

}  // namespace weft::aio
