#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "aio/loop/run.h"
#include "bench/aio/http.h"
#include "bench/figure.h"

// The client's CPU per keep-alive GET, beside Asio's coroutines and wrk against the same nginx on
// the other core. The clients take turns, because the machine has better and worse moments, and
// each counts with its best.
namespace weft::bench {
namespace {

constexpr int kRounds = 5;

struct Shape {
    std::string_view name;
    std::string_view path;
    std::size_t connections;
    std::size_t requests;
};
constexpr Shape kShapes[] = {
    {"1 KB, 64 connections", "/1k", 64, 19'200},
    {"32 KB, 64 connections", "/32k", 64, 9'600},
    {"1 KB, 1,024 connections", "/1k", 1'024, 20'480},
    {"32 KB, 1,024 connections", "/32k", 1'024, 10'240},
};

// Microseconds of CPU per request of a client process.
using Client = std::function<double(const Nginx&, const Shape&)>;

double microseconds_each(const Ended& ended, double requests) {
    if (!ended.ok || requests == 0) throw Error("a client failed");
    return ended.cpu_seconds / requests * 1e6;
}

double run_ours(const Nginx& nginx, const Shape& shape) {
    Child client([&] {
        pin_to_core(kClientCore);
        aio::run(run_load({.endpoint = nginx.endpoint(),
                           .path = std::string(shape.path),
                           .connections = shape.connections,
                           .requests = shape.requests}));
    });
    return microseconds_each(client.wait(), static_cast<double>(shape.requests));
}

double run_asio(const Nginx& nginx, const Shape& shape) {
    Child client({"taskset", "-c", std::to_string(kClientCore), find_peer("asio_get"),
                  std::to_string(nginx.endpoint().port), std::string(shape.path),
                  std::to_string(shape.connections), std::to_string(shape.requests)});
    return microseconds_each(client.wait(), static_cast<double>(shape.requests));
}

double run_wrk(const Nginx& nginx, const Shape& shape) {
    Child client({"taskset", "-c", std::to_string(kClientCore), "wrk", "-t1", "-d1s",
                  "-c" + std::to_string(shape.connections), nginx.url(shape.path)});
    const Ended ended = client.wait();
    const std::size_t found = ended.output.find(" requests in ");
    const std::size_t start = ended.output.rfind('\n', found) + 1;
    return microseconds_each(ended, number_at(std::string_view(ended.output).substr(start)));
}

std::map<std::string, Client> installed_clients() {
    std::map<std::string, Client> clients{{"weft", run_ours}};
    if (find_peer("asio_get").empty()) {
        note_missing("Asio", "its CPU per keep-alive GET");
    } else {
        clients["Asio"] = run_asio;
    }
    if (find_program("wrk").empty()) {
        note_missing("wrk", "its CPU per keep-alive GET");
    } else {
        clients["wrk"] = run_wrk;
    }
    return clients;
}

void compare(const Nginx& nginx, const Shape& shape, std::map<std::string, Client>& clients) {
    std::map<std::string, double> best;
    for (int round = 0; round < kRounds; ++round) {
        for (const auto& [name, client] : clients) {
            const double cost = client(nginx, shape);
            const auto [entry, is_first] = best.emplace(name, cost);
            if (!is_first) entry->second = std::min(entry->second, cost);
        }
    }
    figure(fmt::format("CPU per keep-alive GET, {}", shape.name), best["weft"], "us");
    for (const auto& [name, cost] : best) {
        if (name == "weft") continue;
        figure(fmt::format("CPU per keep-alive GET, {}, against {}", shape.name, name),
               best["weft"] / cost, "x", "<=1");
    }
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    if (!Nginx::is_installed()) {
        note_missing("nginx", "the CPU per keep-alive GET");
        return 0;
    }
    raise_descriptor_limit();
    const Nginx nginx;
    std::map<std::string, Client> clients = installed_clients();
    for (const Shape& shape : kShapes) compare(nginx, shape, clients);
}
