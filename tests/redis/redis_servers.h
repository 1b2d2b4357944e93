#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "redis/cluster.h"
#include "support/certificates.h"
#include "support/real_server.h"
#include "support/scratch.h"

namespace weft::redis {

// Real redis-server processes on loopback, with folders and ports of their own: plain and TLS, and
// a user `weft` (password `secret`) who may do only what a crawl needs.
class RedisServers {
public:
    static bool is_installed() {
        return tests::find_program("redis-server") && tests::find_program("redis-cli");
    }

    // A cluster of 3 masters with 2 replicas each, which the tests of one process share. Making it
    // takes some seconds, and the first call must be outside a loop.
    static RedisServers& cluster();

    // One server that is in no cluster.
    static RedisServers& plain();

    ~RedisServers();

    std::size_t size() const { return servers_.size(); }
    Node node(std::size_t index) const { return {"127.0.0.1", servers_[index].port}; }
    Node tls_node(std::size_t index) const { return {"127.0.0.1", servers_[index].tls_port}; }
    std::size_t index_of(const Node& node) const;
    std::filesystem::path ca_file() const { return authority_.ca_file(); }

    void kill(std::size_t index);
    void start(std::size_t index);
    void pause(std::size_t index);  // SIGSTOP
    void wake(std::size_t index);

    // What the server answers, as the user who may do everything.
    aio::Co<Reply> ask(std::size_t index, std::vector<std::string> words);

    // The servers of the cluster that copy this one.
    aio::Co<std::vector<std::size_t>> replicas_of(std::size_t master);

    // Runs redis-cli, with TLS as the servers talk among themselves, and gives what it prints;
    // throws if it fails.
    aio::Co<std::string> redis_cli(std::vector<std::string> words);

    // Waits until all servers run, 3 are masters, each replica is in step with its master, and all
    // agree on slots and epochs: a master votes for no replica whose view of the slots is older.
    aio::Co<> settle();

    // The last lines that each server has written, for a test that failed.
    std::string log_tails() const;

private:
    struct Server {
        std::uint16_t port = tests::free_port();
        std::uint16_t tls_port = tests::free_port();
        std::uint16_t bus_port = tests::free_port();
        std::unique_ptr<tests::RealServer> process = {};
    };

    RedisServers(std::size_t count, bool is_cluster);
    std::string configuration(std::size_t index) const;
    aio::Co<> join();
    aio::Co<bool> is_settled();

    tests::Scratch scratch_;
    tests::TestAuthority authority_;
    std::string certificate_ = authority_.issue("redis").string();
    bool is_cluster_;
    std::vector<Server> servers_;
};

}  // namespace weft::redis
