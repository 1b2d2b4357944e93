#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aio/loop/run.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "base/error.h"
#include "bench/aio/http.h"
#include "bench/figure.h"

// The honest pair (A12): a loop against a thread a connection with blocking sockets, once with a
// few connections that never rest and once with many that mostly sleep. Both on the client's core.
// Where threads are better, it is printed all the same.
namespace weft::bench {
namespace {

using aio::Co;

struct Work {
    aio::Endpoint endpoint;
    std::size_t connections;
    int requests_each;
    Duration pause;  // Before each request.
};

Co<> ask(Work work) {
    aio::Stream stream = co_await aio::connect(work.endpoint);
    const std::string request = get_request("/");
    for (int i = 0; i < work.requests_each; ++i) {
        if (work.pause > 0s) co_await aio::sleep(work.pause);
        co_await get(stream, request);
    }
}

Co<> ask_on_loop(Work work) {
    std::vector<Co<>> connections;
    for (std::size_t i = 0; i < work.connections; ++i) connections.push_back(ask(work));
    co_await aio::gather(std::move(connections));
}

int connect_blocking(aio::Endpoint endpoint) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(endpoint.port);
    std::memcpy(&address.sin_addr, endpoint.address.bytes().data(), 4);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        throw Error("a thread cannot connect");
    }
    return fd;
}

void get_blocking(int fd, const std::string& request) {
    char block[4096];
    [[maybe_unused]] const ssize_t sent = ::send(fd, request.data(), request.size(), 0);
    std::size_t total = 0;
    for (std::size_t size = 0; total == 0 || size < total;) {
        const ssize_t count = ::recv(fd, block + size, sizeof block - size, 0);
        if (count <= 0) throw Error("a thread's connection broke");
        size += static_cast<std::size_t>(count);
        const std::string_view text(block, size);
        const std::size_t head = text.find("\r\n\r\n");
        if (total > 0 || head == std::string_view::npos) continue;
        const std::size_t length = text.find("Content-Length: ") + 16;
        total = head + 4 + static_cast<std::size_t>(number_at(text.substr(length)));
    }
}

void ask_in_thread(const Work& work) {
    const int fd = connect_blocking(work.endpoint);
    const std::string request = get_request("/");
    for (int i = 0; i < work.requests_each; ++i) {
        if (work.pause > 0s) std::this_thread::sleep_for(work.pause);
        get_blocking(fd, request);
    }
    ::close(fd);
}

void ask_in_threads(const Work& work) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < work.connections; ++i) {
        threads.emplace_back([&work] { ask_in_thread(work); });
    }
}

struct Cost {
    double cpu_us = 0;        // Per request.
    double wall_us = 0;       // Per request.
    double memory_bytes = 0;  // Per connection, half way: resident, page tables, kernel stacks.
};

double memory_of(pid_t pid) {
    const ProcessMemory memory = process_memory(pid);
    return memory.resident_bytes + memory.page_table_bytes + system_memory("KernelStack");
}

// In a process of its own, on the client's core.
template <class Client>
Cost cost_of(Client client, const Work& work) {
    const double stacks = system_memory("KernelStack");
    const auto start = std::chrono::steady_clock::now();
    Child child([&] {
        raise_descriptor_limit();
        pin_to_core(kClientCore);
        fmt::print("\n");
        std::fflush(stdout);
        client(work);
    });
    child.read_line();
    const double at_start = memory_of(child.pid()) - stacks;
    std::this_thread::sleep_for(work.pause + work.pause / 2);
    const double memory = memory_of(child.pid()) - stacks - at_start;
    const Ended ended = child.wait();
    if (!ended.ok) throw Error("a client failed");
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const double requests = static_cast<double>(work.connections) * work.requests_each;
    return {.cpu_us = ended.cpu_seconds / requests * 1e6,
            .wall_us = taken.count() / requests * 1e6,
            .memory_bytes = memory / static_cast<double>(work.connections)};
}

template <class Client>
Cost best_cost_of(int rounds, Client client, const Work& work) {
    Cost best = cost_of(client, work);
    for (int i = 1; i < rounds; ++i) {
        const Cost next = cost_of(client, work);
        best.cpu_us = std::min(best.cpu_us, next.cpu_us);
        best.wall_us = std::min(best.wall_us, next.wall_us);
    }
    return best;
}

void print_pair(std::string_view name, double loop, double threads, std::string_view unit) {
    figure(fmt::format("{}, loop", name), loop, unit);
    figure(fmt::format("{}, threads", name), threads, unit);
    figure(fmt::format("{}, loop against threads", name), loop / threads, "x");
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft;
    using namespace weft::bench;
    const auto on_loop = [](const Work& work) { aio::run(ask_on_loop(work)); };
    const Responder responder(1024);

    const Work busy{responder.endpoint(), 4, 5'000, 0s};
    const Cost busy_loop = best_cost_of(5, on_loop, busy);
    const Cost busy_threads = best_cost_of(5, ask_in_threads, busy);
    print_pair("4 busy connections, CPU per GET", busy_loop.cpu_us, busy_threads.cpu_us, "us");
    print_pair("4 busy connections, time per GET", busy_loop.wall_us, busy_threads.wall_us, "us");

    const Work sleepy{responder.endpoint(), 4'000, 2, 2s};
    const Cost sleepy_loop = cost_of(on_loop, sleepy);
    const Cost sleepy_threads = cost_of(ask_in_threads, sleepy);
    print_pair("4,000 sleepy connections, CPU per GET", sleepy_loop.cpu_us, sleepy_threads.cpu_us,
               "us");
    print_pair("4,000 sleepy connections, memory each", sleepy_loop.memory_bytes,
               sleepy_threads.memory_bytes, "B");
}
