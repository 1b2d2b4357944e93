#include "bench/process.h"

#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"

namespace weft::bench {
namespace {

// The number behind "Name:" in a file of /proc, in bytes.
double number_in(const std::filesystem::path& path, std::string_view name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') {
            continue;
        }
        return number_at(std::string_view(line).substr(name.size() + 1)) * 1024;
    }
    return 0;
}

}  // namespace

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

ProcessMemory process_memory(pid_t pid) {
    const std::string path = fmt::format("/proc/{}/status", pid == 0 ? ::getpid() : pid);
    return {.resident_bytes = number_in(path, "VmRSS"),
            .page_table_bytes = number_in(path, "VmPTE")};
}

std::size_t open_descriptor_count() {
    const std::filesystem::directory_iterator folder("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

double system_memory(std::string_view name) {
    return number_in("/proc/meminfo", name);
}

void pin_to_core(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(core), &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

std::size_t raise_descriptor_limit() {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

Child::Child(const std::function<void()>& work) {
    int ends[2];
    WEFT_ASSERT(pipe2(ends, O_CLOEXEC) == 0);
    std::fflush(nullptr);
    pid_ = fork();
    WEFT_ASSERT(pid_ >= 0);
    if (pid_ > 0) {
        ::close(ends[1]);
        output_ = ends[0];
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    int status = 0;
    try {
        work();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        status = 1;
    }
    std::fflush(nullptr);
    _exit(status);
}

Child::Child(const std::vector<std::string>& command)
    : Child([&command] {
          std::vector<char*> arguments;
          for (const std::string& argument : command) {
              arguments.push_back(const_cast<char*>(argument.c_str()));
          }
          arguments.push_back(nullptr);
          execvp(arguments[0], arguments.data());
          fmt::print(stderr, "cannot run {}\n", command[0]);
          _exit(127);
      }) {}

Child::~Child() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    if (output_ >= 0) ::close(output_);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), output_(std::exchange(other.output_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(output_, other.output_);
    return *this;
}

std::string Child::read_line() {
    std::string line;
    for (char byte = 0; ::read(output_, &byte, 1) == 1 && byte != '\n';) line += byte;
    return line;
}

Ended Child::wait() {
    Ended ended;
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(output_, bytes, sizeof bytes)) > 0;) {
        ended.output.append(bytes, static_cast<std::size_t>(count));
    }
    int status = 0;
    rusage usage{};
    WEFT_ASSERT(wait4(std::exchange(pid_, -1), &status, 0, &usage) > 0);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    ended.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    ended.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return ended;
}

std::string find_program(std::string_view name) {
    const char* path = std::getenv("PATH");
    const std::string folders = fmt::format("{}:/usr/sbin:", path ? path : "");
    std::string folder;
    for (const char c : folders) {
        if (c != ':') {
            folder += c;
            continue;
        }
        const std::string file = fmt::format("{}/{}", std::exchange(folder, {}), name);
        if (access(file.c_str(), X_OK) == 0) return file;
    }
    return {};
}

std::string find_peer(std::string_view name) {
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
    const std::filesystem::path peer = own.parent_path() / "peers" / name;
    return std::filesystem::exists(peer) ? peer.string() : std::string();
}

double number_at(std::string_view text) {
    const std::size_t start = std::min(text.find_first_not_of(" \t"), text.size());
    double number = 0;
    std::from_chars(text.data() + start, text.data() + text.size(), number);
    return number;
}

void note_missing(std::string_view what, std::string_view figures) {
    fmt::print(stderr, "{} is not here: without {}\n", what, figures);
}

}  // namespace weft::bench
