#include "aio/subprocess.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aio/errors.h"
#include "aio/pipe.h"
#include "aio/task_group.h"
#include "aio/watched_descriptor.h"
#include "base/assert.h"

extern char** environ;

namespace weft::aio {
namespace {

// Readable once the process has ended: no SIGCHLD, no thread.
class ProcessDescriptor final : public detail::WatchedDescriptor {
public:
    using WatchedDescriptor::WatchedDescriptor;
    IoWait until_ended() { return wait_readable(); }
};

// What the child is started with.
class Spawn {
public:
    Spawn() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
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

    // Our end of a pipe, if one was asked for; the child's is held until after the start.
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

int status_of(int raw) {
    return WIFSIGNALED(raw) ? -WTERMSIG(raw) : WEXITSTATUS(raw);
}

}  // namespace

struct Process::State {
    ~State() {
        if (pid <= 0 || status) return;
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
    }

    pid_t pid = -1;
    std::optional<int> status;
    std::unique_ptr<ProcessDescriptor> descriptor;
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
    return state_->status;
}

Stream& Process::standard_input() {
    WEFT_ASSERT(state_->input);
    return *state_->input;
}

Stream& Process::standard_output() {
    WEFT_ASSERT(state_->output);
    return *state_->output;
}

Stream& Process::standard_error() {
    WEFT_ASSERT(state_->error);
    return *state_->error;
}

Co<int> Process::wait() {
    while (!state_->status) {
        int raw = 0;
        const pid_t ended = ::waitpid(state_->pid, &raw, WNOHANG);
        if (ended == state_->pid) {
            state_->status = status_of(raw);
        } else if (ended < 0 && errno != EINTR) {
            throw_errno(fmt::format("cannot wait for process {}", state_->pid));
        } else {
            co_await state_->descriptor->until_ended();
        }
    }
    co_return *state_->status;
}

void Process::send_signal(int signal) noexcept {
    if (!state_->status) ::kill(state_->pid, signal);
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
        // A child may end without having read all.
    }
    stream.close();
}

Co<> drain(Stream& stream, std::string& into, std::size_t bytes_max) {
    into = co_await stream.read(bytes_max);
}

}  // namespace

Co<Process::Output> Process::communicate(std::string input, std::size_t bytes_max) {
    Output result;
    co_await task_group([&](TaskGroup& group) -> Co<> {
        if (state_->input) group.create_task(feed(*state_->input, input));
        if (state_->output) {
            group.create_task(drain(*state_->output, result.standard_output, bytes_max));
        }
        if (state_->error) {
            group.create_task(drain(*state_->error, result.standard_error, bytes_max));
        }
        co_return;
    });
    co_await wait();
    co_return result;
}

Co<Process> create_subprocess_exec(std::vector<std::string> arguments, SubprocessOptions options) {
    WEFT_ASSERT(!arguments.empty());
    auto state = std::make_unique<Process::State>();
    {
        Spawn spawn;
        FileDescriptor input = spawn.redirect(STDIN_FILENO, options.standard_input);
        FileDescriptor output = spawn.redirect(STDOUT_FILENO, options.standard_output);
        FileDescriptor error = spawn.redirect(STDERR_FILENO, options.standard_error);
        state->pid = spawn.start(arguments, options.environment ? &*options.environment : nullptr);
        if (input) state->input = adopt_pipe(std::move(input), "input of " + arguments[0]);
        if (output) state->output = adopt_pipe(std::move(output), "output of " + arguments[0]);
        if (error) state->error = adopt_pipe(std::move(error), "errors of " + arguments[0]);
    }
    FileDescriptor descriptor(static_cast<int>(::syscall(SYS_pidfd_open, state->pid, 0)));
    if (!descriptor) throw_errno(fmt::format("cannot watch {}", arguments[0]));
    state->descriptor = std::make_unique<ProcessDescriptor>(std::move(descriptor));
    co_return Process(std::move(state));
}

}  // namespace weft::aio
