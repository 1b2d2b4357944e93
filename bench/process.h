#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

// Processes that a benchmark starts and measures: servers to talk to, clients to compare with.
namespace weft::bench {

// CPU seconds, user and system, of this process so far.
double cpu_seconds();

// CPU seconds of the cheapest of `count` runs. Unlike the time on the wall, other programs on the
// machine hardly show in it.
template <class Work>
double best_cpu_seconds(int count, Work work) {
    double best = 1e300;
    for (int i = 0; i < count; ++i) {
        const double start = cpu_seconds();
        work();
        best = std::min(best, cpu_seconds() - start);
    }
    return best;
}

// What the kernel tells of a process: 0 is this one.
struct ProcessMemory {
    double resident_bytes = 0;
    double page_table_bytes = 0;
};
ProcessMemory process_memory(pid_t pid = 0);
std::size_t open_descriptor_count();

// A line of /proc/meminfo ("Slab", "KernelStack"), in bytes.
double system_memory(std::string_view name);

// The next processes of this one, and itself, run on this core; where there is no such core,
// anywhere.
void pin_to_core(int core);
inline constexpr int kServerCore = 0;
inline constexpr int kClientCore = 1;

// As many descriptors as the system lets this process have.
std::size_t raise_descriptor_limit();

// What a process that has ended leaves.
struct Ended {
    std::string output;  // What it wrote to standard output.
    double cpu_seconds = 0;
    bool ok = false;  // Exit status 0.
};

// A process of our own, killed with this object or with its parent.
class Child {
public:
    // Runs `work` in a fork; what it throws is printed and makes the exit status 1. The child's
    // standard output goes to wait(), or line by line to read_line().
    // REQUIRES: no loop runs and no other thread is at work.
    explicit Child(const std::function<void()>& work);

    // Runs a program; names without '/' are looked up in PATH.
    explicit Child(const std::vector<std::string>& command);

    ~Child();
    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) noexcept;

    pid_t pid() const { return pid_; }

    // The next line of its output, without its end; empty when it ended.
    std::string read_line();

    // Until it has ended by itself.
    Ended wait();

private:
    pid_t pid_ = -1;
    int output_ = -1;
};

// A program's path, or empty where it is not installed. Also looks in /usr/sbin.
std::string find_program(std::string_view name);

// A program that is compared with, built beside the benchmarks if it could be; else empty.
std::string find_peer(std::string_view name);

// The number that a text begins with, blanks before it left aside; 0 if there is none.
double number_at(std::string_view text);

// One line to standard error: a figure is missing because `what` is.
void note_missing(std::string_view what, std::string_view figures);

}  // namespace weft::bench
