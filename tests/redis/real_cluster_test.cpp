// A client against real servers: it starts processes and waits for them, in real time.

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/tls.h"
#include "aio/sync/timeout.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "redis/cluster.h"
#include "redis/error.h"
#include "redis/redis_servers.h"

namespace weft::redis {

namespace {

using aio::Co;

class RealRedis : public testing::Test {
protected:
    void SetUp() override {
        if (!RedisServers::is_installed()) GTEST_SKIP() << "redis-server is not installed";
        RedisServers::cluster();  // Making it needs a loop of its own.
    }
};

Call write(std::string_view key, std::string_view value) {
    return {.slot = slot_of(key),
            .command = std::move(Command("SET").add(key).add(value)),
            .is_write = true};
}
Call read(std::string_view key) {
    return {.slot = slot_of(key), .command = std::move(Command("GET").add(key))};
}

// Writes counting values to keys of all nodes until it is told to stop. A value counts as written
// when the cluster has confirmed it.
struct Writer {
    explicit Writer(Cluster& its_cluster, std::string its_prefix)
        : cluster(its_cluster), prefix(std::move(its_prefix)) {}

    static constexpr int kKeyCount = 64;
    static constexpr int kKeysACall = 16;

    Co<> run() {
        TimePoint last = aio::EventLoop::running().time();
        for (int value = 1; !stop; ++value) {
            std::vector<Call> calls;
            for (int i = 0; i < kKeysACall; ++i) {
                const int key = (value * kKeysACall + i) % kKeyCount;
                calls.push_back(write(name(key), std::to_string(value)));
            }
            const std::vector<Answer> answers = co_await cluster.call_all(std::move(calls));
            for (int i = 0; i < kKeysACall; ++i) {
                EXPECT_EQ(answers[static_cast<std::size_t>(i)].reply.text, "OK");
                confirmed[static_cast<std::size_t>((value * kKeysACall + i) % kKeyCount)] = value;
            }
            const TimePoint now = aio::EventLoop::running().time();
            longest_pause = std::max(longest_pause, now - last);
            last = now;
            ++round_count;
        }
    }

    Co<> check() {
        for (int key = 0; key < kKeyCount; ++key) {
            const Answer answer = co_await cluster.call(read(name(key)));
            EXPECT_EQ(answer.reply.text, std::to_string(confirmed[static_cast<std::size_t>(key)]))
                << name(key);
        }
    }

    std::string name(int key) const { return fmt::format("w:{}:{}", prefix, key); }

    Cluster& cluster;
    std::string prefix;
    std::array<int, kKeyCount> confirmed{};
    Duration longest_pause{};
    int round_count = 0;
    bool stop = false;
};

// Runs `trouble` while a writer writes, and checks that nothing confirmed is lost. Gives the
// longest pause between two rounds of the writer.
template <class TroubleBody>
Duration write_during(std::string prefix, TroubleBody trouble) {
    return aio::run([](std::string name, TroubleBody body) -> Co<Duration> {
        auto deadline = co_await aio::timeout(60s);
        RedisServers& servers = RedisServers::cluster();
        co_await servers.settle();
        Cluster cluster({servers.node(0), servers.node(1), servers.node(2)}, {.copies = 1});
        co_await cluster.connect();
        Writer writer(cluster, std::move(name));
        aio::Task<> writing = aio::create_task(writer.run());
        while (writer.round_count < 20) co_await aio::sleep(5ms);
        co_await body(servers, cluster);
        const int rounds = writer.round_count;
        while (writer.round_count < rounds + 20) co_await aio::sleep(5ms);
        writer.stop = true;
        co_await writing;
        co_await writer.check();
        co_return writer.longest_pause;
    }(std::move(prefix), std::move(trouble)));
}

TEST_F(RealRedis, KeysOfAllNodesAreWrittenAndRead) {
    aio::run([]() -> Co<> {
        RedisServers& servers = RedisServers::cluster();
        Cluster cluster({servers.node(4)}, {.copies = 2});
        std::vector<Call> writes;
        for (int i = 0; i < 1'000; ++i) writes.push_back(write(fmt::format("w{}", i), "x"));
        const std::vector<Answer> answers = co_await cluster.call_all(std::move(writes));
        EXPECT_EQ(answers.size(), 1'000U);
        EXPECT_EQ(cluster.slots()->masters().size(), 3U);
        EXPECT_EQ(cluster.slots()->replica_count_min(), 2U);
        EXPECT_TRUE(cluster.slots()->is_covered());
        const Answer answer = co_await cluster.call(read("w999"));
        EXPECT_EQ(answer.reply.text, "x");
    }());
}

TEST_F(RealRedis, SlotsAreThoseOfTheServer) {
    aio::run([]() -> Co<> {
        RedisServers& servers = RedisServers::cluster();
        for (const char* key : {"", "a", "w1{tag}m", "{}x", "x{y", "{{a}}", "\xC3\xA9{\xC3\xA8}"}) {
            const Reply reply = co_await servers.ask(0, {"CLUSTER", "KEYSLOT", key});
            EXPECT_EQ(reply.integer, slot_of(key)) << key;
        }
    }());
}

TEST_F(RealRedis, TlsAndAUserWithFewRights) {
    aio::run([]() -> Co<> {
        RedisServers& servers = RedisServers::cluster();
        const auto tls = aio::TlsContext::client({.ca_file = servers.ca_file()});
        Cluster cluster(
            {servers.tls_node(0)},
            {.connection = {.user = "weft", .password = "secret", .tls = tls}, .copies = 1});
        for (int i = 0; i < 50; ++i) {
            const Answer answer = co_await cluster.call(write(fmt::format("w:tls:{}", i), "x"));
            EXPECT_EQ(answer.reply.text, "OK");
        }
        for (const Node& master : cluster.slots()->masters()) {
            EXPECT_EQ(master, servers.tls_node(servers.index_of(master)));
        }
        const Answer foreign = co_await cluster.call(write("x", "x"));
        EXPECT_EQ(foreign.reply.code(), "NOPERM");
        const Answer flush =
            co_await cluster.call({.slot = 0, .command = Command("FLUSHALL"), .is_write = true});
        EXPECT_EQ(flush.reply.code(), "NOPERM");
    }());
}

TEST_F(RealRedis, AWrongPasswordOrCertificateEndsAtOnce) {
    const auto connect = [](bool has_tls, ConnectionOptions options) {
        aio::run([](bool tls, ConnectionOptions own) -> Co<> {
            RedisServers& servers = RedisServers::cluster();
            Cluster cluster({tls ? servers.tls_node(0) : servers.node(0)}, {.connection = own});
            co_await cluster.connect();
        }(has_tls, std::move(options)));
    };
    try {
        connect(false, {.user = "weft", .password = "guess"});
        ADD_FAILURE() << "the password was taken";
    } catch (const ServerError& error) {
        EXPECT_EQ(error.code(), "WRONGPASS");
    }
    EXPECT_THROW(connect(true, {.tls = aio::TlsContext::client({})}), aio::TlsError);
}

TEST_F(RealRedis, ATlsPortThatIsAskedInPlainIsUnreachable) {
    const auto connect = [] {
        aio::run([]() -> Co<> {
            Cluster cluster({RedisServers::cluster().tls_node(0)}, {.patience = 500ms});
            co_await cluster.connect();
        }());
    };
    EXPECT_THROW(connect(), Unreachable);
}

TEST_F(RealRedis, APlainServerServesAllSlots) {
    aio::run([]() -> Co<> {
        Cluster cluster({RedisServers::plain().node(0)}, {});
        co_await cluster.call(write("w1", "one"));
        const Answer answer = co_await cluster.call(read("w1"));
        EXPECT_EQ(answer.reply.text, "one");
        EXPECT_EQ(cluster.slots()->replica_count_min(), 0U);
    }());
}

TEST_F(RealRedis, AReplyBeyondTheBoundIsRefused) {
    const auto read_long = [](std::size_t bytes_max) {
        return aio::run([](std::size_t limit) -> Co<std::size_t> {
            Cluster cluster({RedisServers::plain().node(0)},
                            {.connection = {.reply_bytes_max = limit}, .patience = 100ms});
            co_await cluster.call(write("w:long", std::string(100'000, 'x')));
            const Answer answer = co_await cluster.call(read("w:long"));
            co_return answer.reply.text.size();
        }(bytes_max));
    };
    const std::size_t whole = std::string_view("$100000\r\n\r\n").size() + 100'000;
    EXPECT_EQ(read_long(whole), 100'000U);
    EXPECT_THROW(read_long(whole - 1), Unreachable);
}

TEST_F(RealRedis, FullMemoryIsATroubleThatEnds) {
    aio::run([]() -> Co<> {
        RedisServers& servers = RedisServers::plain();
        Cluster cluster({servers.node(0)}, {});
        co_await servers.ask(0, {"CONFIG", "SET", "maxmemory", "1"});
        aio::Task<Answer> writing = aio::create_task(cluster.call(write("w:full", "x")));
        while (!cluster.trouble()) co_await aio::sleep(5ms);
        EXPECT_TRUE(cluster.trouble()->reason.contains("OOM")) << cluster.trouble()->reason;
        co_await servers.ask(0, {"CONFIG", "SET", "maxmemory", "0"});
        const Answer answer = co_await writing;
        EXPECT_EQ(answer.reply.text, "OK");
    }());
}

TEST_F(RealRedis, SlotsMoveUnderLoad) {
    const Duration pause =
        write_during("move", [](RedisServers& servers, Cluster& cluster) -> Co<> {
            const std::vector<Node> masters = cluster.slots()->masters();
            const Reply from =
                co_await servers.ask(servers.index_of(masters.at(0)), {"CLUSTER", "MYID"});
            const Reply to =
                co_await servers.ask(servers.index_of(masters.at(1)), {"CLUSTER", "MYID"});
            const std::string port = servers.tls_node(0).to_string();
            co_await servers.redis_cli({"--cluster", "reshard", port, "--cluster-from", from.text,
                                        "--cluster-to", to.text, "--cluster-slots", "300",
                                        "--cluster-yes"});
        });
    RecordProperty("pause_ms", static_cast<int>(in_seconds(pause) * 1'000));
}

TEST_F(RealRedis, AMasterIsKilledUnderLoad) {
    const Duration pause =
        write_during("kill", [](RedisServers& servers, Cluster& cluster) -> Co<> {
            const std::size_t master = servers.index_of(*cluster.slots()->master_of(5));
            servers.kill(master);
            while (!cluster.trouble()) co_await aio::sleep(5ms);
            while (cluster.trouble()) co_await aio::sleep(5ms);
            servers.start(master);
        });
    EXPECT_GT(pause, 500ms);
    RecordProperty("pause_ms", static_cast<int>(in_seconds(pause) * 1'000));
}

// The paused master wakes as the owner of its slots, for a moment: what it acknowledges then is
// lost, and WAIT says so.
TEST_F(RealRedis, AMasterPausesAndWakesUnderLoad) {
    write_during("pause", [](RedisServers& servers, Cluster& cluster) -> Co<> {
        const std::size_t master = servers.index_of(*cluster.slots()->master_of(5));
        servers.pause(master);
        while (!cluster.trouble()) co_await aio::sleep(5ms);
        while (cluster.trouble()) co_await aio::sleep(5ms);
        servers.wake(master);
    });
}

TEST_F(RealRedis, WithoutReplicasWritesWait) {
    write_during("alone", [](RedisServers& servers, Cluster& cluster) -> Co<> {
        const std::size_t master = servers.index_of(*cluster.slots()->master_of(5));
        const std::vector<std::size_t> replicas = co_await servers.replicas_of(master);
        EXPECT_EQ(replicas.size(), 2U);
        for (const std::size_t replica : replicas) servers.pause(replica);
        while (!cluster.trouble()) co_await aio::sleep(5ms);
        EXPECT_TRUE(cluster.trouble()->reason.contains("fewer than 1 replicas confirm"))
            << cluster.trouble()->reason;
        servers.wake(replicas.at(0));
        while (cluster.trouble()) co_await aio::sleep(5ms);
        servers.wake(replicas.at(1));
    });
}

}  // namespace

}  // namespace weft::redis
