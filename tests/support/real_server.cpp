#include "support/real_server.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"

namespace weft::tests {

namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 5ms;
constexpr auto kStartPatience = 10s;
constexpr auto kStopPatience = 5s;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

bool takes_connections(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    WEFT_ASSERT(fd >= 0);
    const sockaddr_in address = loopback(port);
    const int result = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::close(fd);
    return result == 0;
}

}  // namespace

std::uint16_t free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);  // Stays open: see the header.
    WEFT_ASSERT(fd >= 0);
    const int on = 1;
    WEFT_ASSERT(::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    WEFT_ASSERT(::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    WEFT_ASSERT(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    return ntohs(address.sin_port);
}

std::optional<std::filesystem::path> find_program(std::string_view name) {
    std::istringstream folders(std::string(::getenv("PATH") ? ::getenv("PATH") : "") +
                               ":/usr/sbin:/sbin:/usr/local/sbin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::filesystem::path candidate = std::filesystem::path(folder) / name;
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return std::nullopt;
}

std::filesystem::path weft_program() {
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    return std::filesystem::canonical(self.parent_path() / "../src/cli/weft");
}

RealServer::RealServer(std::vector<std::string> command, const std::vector<std::uint16_t>& ports,
                       std::filesystem::path output_file)
    : output_file_(std::move(output_file)) {
    start(command);
    for (const std::uint16_t port : ports) wait_for(port);
}

void RealServer::start(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int out = ::open(output_file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    WEFT_ASSERT(out >= 0);
    pid_ = ::fork();
    WEFT_ASSERT(pid_ >= 0);
    if (pid_ == 0) {  // Only what is safe between fork and exec.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(::open("/dev/null", O_RDONLY), 0);
        ::dup2(out, 1);
        ::dup2(out, 2);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(out);
}

void RealServer::wait_for(std::uint16_t port) {
    const auto deadline = std::chrono::steady_clock::now() + kStartPatience;
    while (!takes_connections(port)) {
        const std::optional<int> ended = wait(WNOHANG);
        if (ended || std::chrono::steady_clock::now() > deadline) {
            const std::string said = output();
            stop();
            throw std::runtime_error("the server did not start: " + said);
        }
        std::this_thread::sleep_for(kPause);
    }
}

std::optional<int> RealServer::wait(int flags) {
    int status = 0;
    if (pid_ < 0 || ::waitpid(pid_, &status, flags) != pid_) return std::nullopt;
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::optional<int> RealServer::stop(int signal) {
    if (pid_ < 0) return std::nullopt;
    ::kill(pid_, signal);
    const auto deadline = std::chrono::steady_clock::now() + kStopPatience;
    while (std::chrono::steady_clock::now() < deadline) {
        if (const std::optional<int> ended = wait(WNOHANG)) return ended;
        std::this_thread::sleep_for(kPause);
    }
    ::kill(pid_, SIGKILL);
    return wait(0);
}

std::string RealServer::output() const {
    std::ifstream in(output_file_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace weft::tests
