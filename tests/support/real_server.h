#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace weft::tests {

// A port of loopback for a server to listen on (with SO_REUSEADDR, as servers do): nobody else is
// given it while this process lives.
std::uint16_t free_port();

// Where a program is, also in the folders of a system's own; nothing if it is not installed.
std::optional<std::filesystem::path> find_program(std::string_view name);

// The command `weft` of the tree that this test was built in.
std::filesystem::path weft_program();

// A program that serves on loopback, as a process of its own: started with the object, ended with
// it, and killed if the test dies before. What it prints is kept in a file.
class RealServer {
public:
    // Returns when all the ports take connections. Throws std::runtime_error, with what the program
    // printed, when it ends before or takes longer than ten seconds.
    RealServer(std::vector<std::string> command, const std::vector<std::uint16_t>& ports,
               std::filesystem::path output_file);
    ~RealServer() { stop(); }
    RealServer(const RealServer&) = delete;
    RealServer& operator=(const RealServer&) = delete;

    // Asks it to end, and after five seconds insists. Its exit status, minus the signal that ended
    // it; nothing if it was stopped before.
    std::optional<int> stop(int signal = 15);

    pid_t pid() const { return pid_; }
    std::string output() const;

private:
    void start(const std::vector<std::string>& command);
    void wait_for(std::uint16_t port);
    std::optional<int> wait(int flags);

    pid_t pid_ = -1;
    std::filesystem::path output_file_;
};

}  // namespace weft::tests
