#include "redis/redis_servers.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/process/subprocess.h"
#include "aio/task/sleep.h"
#include "redis/connection.h"
#include "redis/error.h"

namespace weft::redis {

using aio::Co;

namespace {

// What the functions of a crawl call, and what a worker does besides.
constexpr std::string_view kRights =
    "+exists +time +del +hget +hmget +hset +hincrby +hdel +hgetall +sadd +sismember +smembers "
    "+rpush +lpop +lset +lindex +lrange +zadd +zrem +zrange +zrangebyscore +zscore +zcard "
    "+zremrangebyscore +pexpire +set +get "
    "+fcall +fcall_ro +function|load +cluster|slots +wait +info";
constexpr std::size_t kMasterCount = 3;
constexpr std::size_t kServerCount = 9;
constexpr auto kSettlePatience = 40s;

// A busy machine may stop a server for a second; that must not look like its death.
constexpr auto kNodeTimeout = 3s;

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

// What CLUSTER NODES says, the same for all servers that agree: of each node its id, role, master,
// epoch and slots, without the times and connections that each server sees for itself. Empty: some
// node is failing, or not known well yet.
std::string view_of(std::string_view nodes) {
    std::vector<std::string> lines;
    while (!nodes.empty()) {
        const std::string_view line = nodes.substr(0, nodes.find('\n'));
        nodes.remove_prefix(std::min(line.size() + 1, nodes.size()));
        std::vector<std::string> words;
        for (std::string_view rest = line; !rest.empty();) {
            words.emplace_back(rest.substr(0, rest.find(' ')));
            rest.remove_prefix(std::min(words.back().size() + 1, rest.size()));
        }
        if (words.size() < 8) continue;
        std::string& flags = words[2];
        if (flags.starts_with("myself,")) flags.erase(0, 7);
        if (flags != "master" && flags != "slave") return {};
        if (words[7] != "connected") return {};
        std::string known = fmt::format("{} {} {} {}", words[0], flags, words[3], words[6]);
        for (std::size_t i = 8; i < words.size(); ++i) {
            if (words[i].starts_with('[')) return {};  // A slot is on its way.
            known += " " + words[i];
        }
        lines.push_back(std::move(known));
    }
    std::ranges::sort(lines);
    return fmt::format("{}", fmt::join(lines, "\n"));
}

// Prints what the servers said when a test has failed.
class TailPrinter final : public testing::EmptyTestEventListener {
public:
    explicit TailPrinter(const RedisServers& servers) : servers_(servers) {}

private:
    void OnTestEnd(const testing::TestInfo& test) override {
        if (test.result()->Failed()) fmt::print("{}", servers_.log_tails());
    }

    const RedisServers& servers_;
};

}  // namespace

RedisServers& RedisServers::cluster() {
    static RedisServers servers(kServerCount, true);
    static const bool is_watched = [] {
        testing::UnitTest::GetInstance()->listeners().Append(new TailPrinter(servers));
        return true;
    }();
    static_cast<void>(is_watched);
    return servers;
}

std::string RedisServers::log_tails() const {
    constexpr std::size_t kTailBytes = 2'000;
    std::string text;
    for (std::size_t i = 0; i < servers_.size(); ++i) {
        std::ifstream file(scratch_ / (std::to_string(i) + "/output.txt"));
        std::string log(std::istreambuf_iterator<char>(file), {});
        if (log.size() > kTailBytes) log.erase(0, log.size() - kTailBytes);
        text += fmt::format("--- server {} (port {})\n{}\n", i, servers_[i].port, log);
    }
    return text;
}

RedisServers& RedisServers::plain() {
    static RedisServers servers(1, false);
    return servers;
}

RedisServers::RedisServers(std::size_t count, bool is_cluster)
    : is_cluster_(is_cluster), servers_(count) {
    for (std::size_t i = 0; i < count; ++i) start(i);
    if (is_cluster) aio::run(join());
}

RedisServers::~RedisServers() {
    for (std::size_t i = 0; i < servers_.size(); ++i) kill(i);
}

std::string RedisServers::configuration(std::size_t index) const {
    const Server& server = servers_[index];
    std::string text = fmt::format(R"(bind 127.0.0.1
port {}
tls-port {}
tls-cert-file {}
tls-key-file {}
tls-ca-cert-file {}
tls-auth-clients no
dir {}
save ""
repl-diskless-sync-delay 0
repl-ping-replica-period 1
user weft on >secret ~w* ~{{w* {}
)",
                                   server.port, server.tls_port, certificate_, certificate_,
                                   authority_.ca_file().string(),
                                   (scratch_ / std::to_string(index)).string(), kRights);
    if (is_cluster_) {
        text += fmt::format(
            "cluster-enabled yes\ntls-cluster yes\ntls-replication yes\ncluster-port "
            "{}\ncluster-node-timeout {}\n"
            "cluster-replica-validity-factor 0\n",
            server.bus_port, kNodeTimeout / 1ms);
    }
    return text;
}

void RedisServers::start(std::size_t index) {
    Server& server = servers_[index];
    if (server.process) return;
    const std::string folder = std::to_string(index);
    scratch_.write(folder + "/redis.conf", configuration(index));
    server.process = std::make_unique<tests::RealServer>(
        std::vector<std::string>{tests::find_program("redis-server")->string(),
                                 (scratch_ / (folder + "/redis.conf")).string()},
        std::vector{server.port, server.tls_port}, scratch_ / (folder + "/output.txt"));
}

void RedisServers::kill(std::size_t index) {
    if (servers_[index].process) servers_[index].process->stop(SIGKILL);
    servers_[index].process.reset();
}

void RedisServers::pause(std::size_t index) {
    ::kill(servers_[index].process->pid(), SIGSTOP);
}

void RedisServers::wake(std::size_t index) {
    ::kill(servers_[index].process->pid(), SIGCONT);
}

std::size_t RedisServers::index_of(const Node& node) const {
    for (std::size_t i = 0; i < servers_.size(); ++i) {
        if (servers_[i].port == node.port || servers_[i].tls_port == node.port) return i;
    }
    throw std::runtime_error("no such server: " + node.to_string());
}

Co<Reply> RedisServers::ask(std::size_t index, std::vector<std::string> words) {
    const auto connection = co_await Connection::open(node(index), {});
    Command command(words.at(0));
    for (std::size_t i = 1; i < words.size(); ++i) command.add(std::string_view(words[i]));
    co_return co_await connection->call(std::move(command));
}

Co<std::vector<std::size_t>> RedisServers::replicas_of(std::size_t master) {
    std::vector<std::size_t> replicas;
    const Reply reply = co_await ask(master, {"INFO", "replication"});
    for (std::size_t i = 0; i < servers_.size(); ++i) {
        if (reply.text.contains(fmt::format("port={},", servers_[i].tls_port))) {
            replicas.push_back(i);
        }
    }
    co_return replicas;
}

Co<std::string> RedisServers::redis_cli(std::vector<std::string> words) {
    words.insert(words.begin(), {tests::find_program("redis-cli")->string(), "--tls", "--cacert",
                                 ca_file().string()});
    aio::Process process = co_await aio::create_subprocess_exec(
        std::move(words), {.standard_output = aio::Redirect::pipe});
    const aio::Process::Output output = co_await process.communicate();
    if (process.returncode() != 0) {
        throw std::runtime_error("redis-cli failed: " + output.standard_output);
    }
    co_return output.standard_output;
}

Co<> RedisServers::join() {
    std::vector<std::string> words = {"--cluster", "create"};
    for (std::size_t i = 0; i < servers_.size(); ++i) words.push_back(tls_node(i).to_string());
    words.insert(words.end(), {"--cluster-replicas", "2", "--cluster-yes"});
    co_await redis_cli(std::move(words));
    co_await settle();
}

// The servers must also agree on every slot: Redis 7.0 tells replicas by gossip which slots have
// moved to their master. A master that dies before that may leave slots without an owner.
Co<bool> RedisServers::is_settled() {
    std::size_t master_count = 0;
    std::string view;
    for (std::size_t i = 0; i < servers_.size(); ++i) {
        const Reply info = co_await ask(i, {"INFO", "replication"});
        const Reply state = co_await ask(i, {"CLUSTER", "INFO"});
        const Reply ranges = co_await ask(i, {"CLUSTER", "SLOTS"});
        const Reply nodes = co_await ask(i, {"CLUSTER", "NODES"});
        if (!state.text.contains("cluster_state:ok")) co_return false;
        const std::string its_view = view_of(nodes.text);
        if (its_view.empty() || (i > 0 && its_view != view)) co_return false;
        view = its_view;
        if (SlotMap::read(ranges, node(i)).value().replica_count_min() != 2) co_return false;
        if (info.text.contains("role:master")) {
            ++master_count;
            if (count_of(info.text, "state=online") != 2) co_return false;
        } else if (!info.text.contains("master_link_status:up")) {
            co_return false;
        }
    }
    co_return master_count == kMasterCount;
}

Co<> RedisServers::settle() {
    const TimePoint until = aio::EventLoop::running().time() + kSettlePatience;
    while (aio::EventLoop::running().time() < until) {
        try {
            const bool is_done = co_await is_settled();
            if (is_done) co_return;
        } catch (const ConnectionLost&) {
            // It is still starting.
        }
        co_await aio::sleep(50ms);
    }
    throw std::runtime_error("the cluster does not settle");
}

}  // namespace weft::redis
