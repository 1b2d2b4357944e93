#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "base/units.h"

namespace weft::aio {

enum class Redirect {
    inherit,  // The child shares ours.
    pipe,     // A stream of the Process.
    null,     // Nothing to read; what is written is dropped.
};

struct SubprocessOptions {
    Redirect standard_input = Redirect::null;
    Redirect standard_output = Redirect::inherit;
    Redirect standard_error = Redirect::inherit;
    std::optional<std::vector<std::string>> environment;  // "NAME=value"; none: ours.
};

// A child process on the running loop, which resumes whoever waits for its end: any number of
// tasks. A cancelled wait leaves it running. Destroyed while it runs, the child is killed and
// waited for. Where the program ignores SIGCHLD the kernel keeps no status: wait() then says 255.
class Process {
public:
    ~Process();
    Process(Process&&) noexcept;
    Process& operator=(Process&&) noexcept;

    pid_t pid() const;

    // Of a pipe that was asked for with Redirect::pipe; else InvalidStateError.
    Stream& standard_input();
    Stream& standard_output();
    Stream& standard_error();

    // Until the child has ended: its exit status, or minus the signal that ended it. May be called
    // again. Does not read what the child writes: one that fills its pipe never ends.
    Co<int> wait();

    // The status, if wait() has seen the end.
    std::optional<int> returncode() const;

    // No effect on a child that has ended.
    void send_signal(int signal) noexcept;
    void terminate() noexcept;
    void kill() noexcept;

    struct Output {
        std::string standard_output;
        std::string standard_error;
    };
    // Writes `input`, closes the child's input, reads both outputs to their ends (at most
    // `bytes_max` each, else LimitOverrunError) and waits for the end. Streams that were not asked
    // for are left out. Cancelled, the child goes on, and what was read of it is lost.
    Co<Output> communicate(std::string input = {}, std::size_t bytes_max = 64_MiB);

private:
    friend Co<Process> create_subprocess_exec(std::vector<std::string>, SubprocessOptions);
    struct State;
    explicit Process(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

// Runs the program arguments[0], looked for in PATH, without a shell. Throws IoError, naming it,
// when it cannot be started; InvalidStateError without a program.
Co<Process> create_subprocess_exec(std::vector<std::string> arguments,
                                   SubprocessOptions options = {});

}  // namespace weft::aio
