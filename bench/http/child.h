#pragma once

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Other programs beside the one that is measured.
namespace weft::bench {

// Clients run on the first core, servers on the last.
enum class Core { client, server };

inline void stay_on(Core core) {
    const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core == Core::client ? 0 : static_cast<int>(count) - 1, &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

inline double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}
inline double cpu_seconds(const rusage& usage) {
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of this process.
inline double cpu_seconds() {
    rusage usage;
    ::getrusage(RUSAGE_SELF, &usage);
    return cpu_seconds(usage);
}

// A child that dies with us. `output`: a descriptor for what it prints.
inline pid_t start_child(const std::vector<std::string>& command, Core core, int output) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    stay_on(core);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::execvp(words[0], words.data());
    ::_exit(127);
}

struct Ended {
    int status = 0;
    std::string output;
    double cpu = 0;  // Seconds.
};

// Runs a program to its end.
inline Ended run_child(const std::vector<std::string>& command, Core core = Core::client) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    const pid_t pid = start_child(command, core, ends[1]);
    ::close(ends[1]);
    Ended ended;
    char room[4096];
    for (ssize_t n = 1; n > 0;) {
        n = ::read(ends[0], room, sizeof room);
        if (n > 0) ended.output.append(room, static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    rusage usage{};
    ::wait4(pid, &ended.status, 0, &usage);
    ended.cpu = cpu_seconds(usage);
    return ended;
}

// Says why there are no figures, and ends.
[[noreturn]] inline void give_up(const std::string& why) {
    fmt::print(stderr, "{}\n", why);
    std::exit(1);
}

}  // namespace weft::bench
