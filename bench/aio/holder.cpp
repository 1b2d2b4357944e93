#include "bench/aio/holder.h"

#include <vector>

#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"

namespace weft::bench {
namespace {

constexpr int kBacklog = 4096;

int listen_at(std::uint8_t host) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + host);
    socklen_t size = sizeof address;
    if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(fd, kBacklog) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        aio::throw_errno("cannot listen");
    }
    fmt::print("{}\n", ntohs(address.sin_port));
    std::fflush(stdout);
    return fd;
}

void hold(std::uint8_t host, std::size_t count) {
    raise_descriptor_limit();
    sigset_t release;
    sigemptyset(&release);
    sigaddset(&release, SIGUSR1);
    sigprocmask(SIG_BLOCK, &release, nullptr);
    const int listener = listen_at(host);
    std::vector<int> connections;
    while (connections.size() < count) {
        const int fd = ::accept(listener, nullptr, nullptr);
        if (fd < 0) aio::throw_errno("cannot accept");
        connections.push_back(fd);
    }
    fmt::print("full\n");
    std::fflush(stdout);
    int signal = 0;
    sigwait(&release, &signal);
    const linger reset{.l_onoff = 1, .l_linger = 0};
    for (const int fd : connections) {
        ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        [[maybe_unused]] const ssize_t sent = ::send(fd, ".", 1, MSG_NOSIGNAL);
    }
    sigwait(&release, &signal);  // Never: a reset now could overtake the bytes.
}

}  // namespace

Holder::Holder(std::uint8_t host, std::size_t count)
    : child_([host, count] { hold(host, count); }) {
    const double port = number_at(child_.read_line());
    endpoint_ = {aio::IpAddress::v4({127, 0, 0, host}), static_cast<std::uint16_t>(port)};
}

void Holder::wait_full() {
    child_.read_line();
}

void Holder::release() {
    ::kill(child_.pid(), SIGUSR1);
}

}  // namespace weft::bench
