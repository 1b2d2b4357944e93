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

// Where a standard stream of the child goes.
enum class Redirect {
    inherit,  // The child uses that of this process.
    pipe,     // A stream of the Process.
    null,     // Reads give the end at once; writes are dropped.
};

// The settings of create_subprocess_exec().
struct SubprocessOptions {
    Redirect standard_input = Redirect::null;
    Redirect standard_output = Redirect::inherit;
    Redirect standard_error = Redirect::inherit;
    std::optional<std::vector<std::string>> environment;  // "NAME=value"; none: the parent's.
};

// A child process on the running loop. The loop resumes all tasks that wait for its end. A
// cancelled wait leaves the child running. The destructor kills a running child and waits for it.
// If the program ignores SIGCHLD, the kernel keeps no exit status: wait() then gives 255.
class Process {
public:
    ~Process();
    Process(Process&&) noexcept;
    Process& operator=(Process&&) noexcept;

    pid_t pid() const;

    // The stream of a pipe that was requested with Redirect::pipe; otherwise throws
    // InvalidStateError.
    Stream& standard_input();
    Stream& standard_output();
    Stream& standard_error();

    // Waits for the child's end. Gives its exit status, or minus the signal that ended it. May be
    // called again. Does not read the child's output: a child that fills its pipe never ends.
    Co<int> wait();

    // The status, if a wait() has seen the end.
    std::optional<int> returncode() const;

    // No effect if the child has ended.
    void send_signal(int signal) noexcept;
    void terminate() noexcept;
    void kill() noexcept;

    struct Output {
        std::string standard_output;
        std::string standard_error;
    };
    // Writes `input`, closes the child's input, reads both outputs to their ends (more than
    // `bytes_max` of one: LimitOverrunError) and waits for the child's end. Streams without a pipe
    // are skipped. If it is cancelled, the child goes on, and its output read so far may be lost.
    Co<Output> communicate(std::string input = {}, std::size_t bytes_max = 64_MiB);

private:
    friend Co<Process> create_subprocess_exec(std::vector<std::string>, SubprocessOptions);
    struct State;
    explicit Process(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

// Runs the program arguments[0], searched in PATH, without a shell. Throws IoError, naming it, if
// it cannot be started; InvalidStateError if `arguments` is empty.
Co<Process> create_subprocess_exec(std::vector<std::string> arguments,
                                   SubprocessOptions options = {});

}  // namespace weft::aio
