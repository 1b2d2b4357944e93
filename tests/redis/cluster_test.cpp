#include "redis/cluster.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "redis/error.h"
#include "redis/fake_redis.h"

namespace weft::redis {

namespace {

using aio::Co;

constexpr std::uint16_t kLow = 1;        // A slot of the first server,
constexpr std::uint16_t kHigh = 16'000;  // and one of the second.

Call get(std::uint16_t slot, std::string_view key = "k") {
    return {.slot = slot, .command = std::move(Command("GET").add(key))};
}
Call set(std::uint16_t slot, std::string_view key = "k") {
    return {.slot = slot, .command = std::move(Command("SET").add(key)), .is_write = true};
}

// Two masters with half of the slots each. What a test wants to be different it puts into
// `answers`: commands that are not there get +OK.
struct FakeCluster {
    explicit FakeCluster(aio::SimulatedLoop& loop)
        : a(loop, "a.test", [this](const Arguments& command) { return answer(command, 'a'); }),
          b(loop, "b.test", [this](const Arguments& command) { return answer(command, 'b'); }) {}

    std::optional<std::string> answer(const Arguments& command, char who) {
        if (command[0] == "CLUSTER") {
            if (!slots.empty()) return slots;
            if (border == 0) return array({b.range(0, 16'383, 1)});
            return array({a.range(0, border - 1, 2), b.range(border, 16'383, 1)});
        }
        if (special) {
            if (auto bytes = special(command, who)) return *bytes == "silence" ? none : bytes;
        }
        return "+OK\r\n";
    }

    const std::optional<std::string> none = std::nullopt;
    int border = 8'000;
    std::string slots;
    std::function<std::optional<std::string>(const Arguments&, char)> special;
    FakeRedis a;
    FakeRedis b;
};

// Runs body(fake, cluster) in virtual time; gives how long it took.
template <class Body>
Duration with_cluster(Body body, ClusterOptions options = {}) {
    aio::SimulatedLoop loop;
    loop.run([](aio::SimulatedLoop& own, Body inner, ClusterOptions settings) -> Co<> {
        FakeCluster fake(own);
        Cluster cluster({{"a.test"}}, std::move(settings));
        co_await inner(fake, cluster);
    }(loop, std::move(body), std::move(options)));
    return loop.now();
}

TEST(RedisCluster, SendsACallToTheMasterOfItsSlot) {
    with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        std::vector<Call> calls = {get(kLow, "x"), get(kHigh, "y"), get(kLow, "z")};
        const std::vector<Answer> answers = co_await cluster.call_all(std::move(calls));
        EXPECT_EQ(answers.size(), 3U);
        EXPECT_EQ(fake.a.count("GET"), 2U);
        EXPECT_EQ(fake.b.heard().at(0), (Arguments{"GET", "y"}));
        EXPECT_EQ(fake.a.count("CLUSTER"), 1U);
        EXPECT_EQ(cluster.slots()->replica_count_min(), 1U);
        EXPECT_FALSE(cluster.trouble());
    });
}

TEST(RedisCluster, APlainServerHasAllSlots) {
    with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        fake.slots = "-ERR This instance has cluster support disabled\r\n";
        co_await cluster.connect();
        co_await cluster.call(get(kHigh));
        EXPECT_EQ(fake.a.count("GET"), 1U);
        EXPECT_EQ(cluster.slots()->replica_count_min(), 0U);
    });
}

// The node that MOVED names is asked, because it knows.
TEST(RedisCluster, FollowsMovedWithoutAPause) {
    const Duration time = with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        co_await cluster.connect();
        fake.border = 0;
        fake.special = [](const Arguments&, char who) {
            return who == 'a' ? std::optional("-MOVED 1 b.test:6379\r\n") : std::nullopt;
        };
        const Answer answer = co_await cluster.call(get(kLow));
        EXPECT_EQ(answer.reply.text, "OK");
        EXPECT_EQ(fake.b.count("CLUSTER"), 1U);
        EXPECT_EQ(fake.b.count("GET"), 1U);
    });
    EXPECT_EQ(time, 0s);
}

TEST(RedisCluster, OnlyTheCallsThatMovedAreRepeated) {
    with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        co_await cluster.connect();
        fake.border = 1;
        fake.special = [](const Arguments& command, char who) -> std::optional<std::string> {
            if (who == 'a' && command[1] == "gone") return "-MOVED 1 b.test:6379\r\n";
            return std::nullopt;
        };
        std::vector<Call> calls = {get(0, "here"), get(kLow, "gone"), get(kHigh, "there")};
        const std::vector<Answer> answers = co_await cluster.call_all(std::move(calls));
        for (const Answer& answer : answers) EXPECT_EQ(answer.reply.text, "OK");
        EXPECT_EQ(fake.a.count("GET"), 2U);
        EXPECT_EQ(fake.b.count("GET"), 2U);
    });
}

TEST(RedisCluster, PausesDoubleUpToASecond) {
    for (const char* error :
         {"ASK 1 b.test:6379", "TRYAGAIN x", "CLUSTERDOWN x", "LOADING x", "MASTERDOWN x",
          "NOREPLICAS x", "BUSY x", "OOM x", "MISCONF x", "MOVING x"}) {
        const Duration time = with_cluster(
            [error](FakeCluster& fake, Cluster& cluster) -> Co<> {
                int left = 8;
                fake.special = [&](const Arguments&, char) -> std::optional<std::string> {
                    return left-- > 0 ? std::optional(fmt::format("-{}\r\n", error)) : std::nullopt;
                };
                const Answer answer = co_await cluster.call(get(kLow));
                EXPECT_EQ(answer.reply.text, "OK") << error;
                EXPECT_EQ(fake.a.count("GET"), 9U) << error;
                EXPECT_EQ(fake.a.count("ASKING"), 0U);
            },
            {.again = {"MOVING"}});
        EXPECT_EQ(time, 20ms + 40ms + 80ms + 160ms + 320ms + 640ms + 1s + 1s) << error;
    }
}

TEST(RedisCluster, AnyOtherErrorIsTheAnswer) {
    with_cluster(
        [](FakeCluster& fake, Cluster& cluster) -> Co<> {
            fake.special = [](const Arguments&, char) { return "-STALE w2/1 7\r\n"; };
            const Answer answer = co_await cluster.call(set(kLow));
            EXPECT_EQ(answer.reply.code(), "STALE");
        },
        {.copies = 1});
}

TEST(RedisCluster, LoadsTheLibraryWhereAFunctionIsMissing) {
    const Duration time = with_cluster(
        [](FakeCluster& fake, Cluster& cluster) -> Co<> {
            bool has_library = false;
            fake.special = [&](const Arguments& command, char) -> std::optional<std::string> {
                if (command[0] == "FUNCTION") has_library = true;
                if (has_library) return std::nullopt;
                return "-ERR Function not found\r\n";
            };
            const Answer answer = co_await cluster.call(get(kHigh));
            EXPECT_EQ(answer.reply.text, "OK");
            EXPECT_EQ(fake.b.heard().at(1), (Arguments{"FUNCTION", "LOAD", "the code"}));
            EXPECT_EQ(fake.a.count("FUNCTION"), 0U);
        },
        {.library = "the code"});
    EXPECT_EQ(time, 0s);
}

TEST(RedisCluster, ALibraryThatCannotBeLoadedEndsTheCall) {
    const auto load = [](const char* error) {
        with_cluster([error](FakeCluster& fake, Cluster& cluster) -> Co<> {
            fake.special = [error](const Arguments& command, char) -> std::optional<std::string> {
                if (command[0] == "FUNCTION") return error;
                return "-ERR Function not found\r\n";
            };
            co_await cluster.call(get(kLow));
        });
    };
    EXPECT_THROW(load("-ERR Error compiling function\r\n"), ServerError);
    EXPECT_THROW(load("-NOPERM no permission\r\n"), ServerError);
}

TEST(RedisCluster, OneWaitConfirmsAllWritesOfANode) {
    with_cluster(
        [](FakeCluster& fake, Cluster& cluster) -> Co<> {
            fake.special = [](const Arguments& command, char) -> std::optional<std::string> {
                return command[0] == "WAIT" ? std::optional(number(2)) : std::nullopt;
            };
            std::vector<Call> calls = {set(kLow), set(kLow), get(kHigh)};
            co_await cluster.call_all(std::move(calls));
            EXPECT_EQ(fake.a.heard().back(), (Arguments{"WAIT", "2", "1000"}));
            EXPECT_EQ(fake.a.count("WAIT"), 1U);
            EXPECT_EQ(fake.b.count("WAIT"), 0U);
        },
        {.copies = 2});
}

// What the unconfirmed try answered may be the true answer: its caller gets both.
TEST(RedisCluster, AWriteThatIsNotConfirmedIsRepeated) {
    with_cluster(
        [](FakeCluster& fake, Cluster& cluster) -> Co<> {
            int waits = 0;
            int sets = 0;
            fake.special = [&](const Arguments& command, char) -> std::optional<std::string> {
                if (command[0] == "WAIT") return number(++waits == 3 ? 1 : 0);
                if (command[0] == "SET") return number(++sets);
                return std::nullopt;
            };
            std::vector<Call> calls = {set(kLow), get(kLow)};
            const std::vector<Answer> answers = co_await cluster.call_all(std::move(calls));
            EXPECT_EQ(answers[0].reply.integer, 3);
            EXPECT_EQ(answers[0].unconfirmed.size(), 2U);
            EXPECT_EQ(answers[0].unconfirmed.at(0).integer, 1);
            EXPECT_EQ(fake.a.count("GET"), 1U);
        },
        {.copies = 1});
}

TEST(RedisCluster, AnErrorOfWaitConfirmsNothing) {
    with_cluster(
        [](FakeCluster& fake, Cluster& cluster) -> Co<> {
            int waits = 0;
            fake.special = [&](const Arguments& command, char) -> std::optional<std::string> {
                if (command[0] != "WAIT") return std::nullopt;
                return ++waits == 1 ? "-UNBLOCKED the master is a replica now\r\n" : number(1);
            };
            const Answer answer = co_await cluster.call(set(kLow));
            EXPECT_EQ(answer.unconfirmed.size(), 1U);
            EXPECT_EQ(fake.a.count("SET"), 2U);
        },
        {.copies = 1});
}

TEST(RedisCluster, GoesToTheNewMasterWhenTheOldOneIsSilent) {
    const Duration time = with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        co_await cluster.call_all([] {
            std::vector<Call> calls = {get(kLow), get(kHigh)};
            return calls;
        }());
        fake.border = 0;
        fake.special = [](const Arguments&, char who) {
            return who == 'a' ? std::optional("silence") : std::nullopt;
        };
        const Answer answer = co_await cluster.call(get(kLow));
        EXPECT_EQ(answer.reply.text, "OK");
        EXPECT_EQ(fake.b.count("GET"), 2U);
    });
    EXPECT_EQ(time, 2s);
}

TEST(RedisCluster, TasksShareARefreshAndAnAttemptToConnect) {
    aio::SimulatedLoop loop;
    loop.run([](aio::SimulatedLoop& own) -> Co<> {
        FakeCluster fake(own);
        Cluster cluster({{"a.test"}}, {});
        co_await cluster.connect();
        own.network().host("a.test").reach(aio::Reach::black_hole);
        own.network().lose_connections("a.test");
        own.network().at(own.now() + 7s, [&fake] { fake.border = 0; });
        std::vector<Co<Answer>> calls;
        for (int i = 0; i < 50; ++i) calls.push_back(cluster.call(get(kLow)));
        // `a` keeps silence for 2 s; then nothing but a seed that is a black hole is known.
        calls.push_back(cluster.call(get(kHigh)));
        const std::vector<Answer> answers = co_await aio::gather(std::move(calls));
        EXPECT_EQ(fake.b.count("GET"), 51U);
        EXPECT_LT(fake.b.count("CLUSTER"), 20U);
        EXPECT_LT(own.now(), 12s);
    }(loop));
}

TEST(RedisCluster, ThrowsUnreachableWhenPatienceEnds) {
    aio::SimulatedLoop loop;
    loop.network().host("a.test").reach(aio::Reach::refusing);
    try {
        loop.run([]() -> Co<> {
            Cluster cluster({{"a.test"}}, {.patience = 30s});
            co_await cluster.connect();
        }());
        ADD_FAILURE() << "it connected";
    } catch (const Unreachable& error) {
        EXPECT_TRUE(std::string_view(error.what()).contains("a.test:6379")) << error.what();
    }
    EXPECT_GE(loop.now(), 30s);
    EXPECT_LT(loop.now(), 32s);
}

TEST(RedisCluster, SaysItsTroubleWhileItLasts) {
    with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        bool is_full = true;
        fake.special = [&](const Arguments&, char) -> std::optional<std::string> {
            return is_full ? std::optional("-OOM memory is full\r\n") : std::nullopt;
        };
        aio::Task<Answer> call = aio::create_task(cluster.call(set(kLow)));
        co_await aio::sleep(5s);
        EXPECT_EQ(cluster.trouble().value().reason, "redis a.test:6379: OOM memory is full");
        EXPECT_EQ(cluster.trouble()->since.time_since_epoch(), 0s);
        is_full = false;
        co_await call;
        EXPECT_FALSE(cluster.trouble());
    });
}

TEST(RedisCluster, AskForSlotsOfAnotherSeedIfTheFirstIsDead) {
    aio::SimulatedLoop loop;
    loop.network().host("dead.test").reach(aio::Reach::refusing);
    loop.run([](aio::SimulatedLoop& own) -> Co<> {
        FakeCluster fake(own);
        Cluster cluster({{"dead.test"}, {"b.test"}}, {});
        co_await cluster.connect();
        EXPECT_EQ(fake.b.count("CLUSTER"), 1U);
    }(loop));
}

TEST(RedisCluster, AWrongPasswordEndsAtOnce) {
    const auto log_in_wrongly = [] {
        with_cluster(
            [](FakeCluster& fake, Cluster& cluster) -> Co<> {
                fake.special = [](const Arguments&, char) { return "-WRONGPASS no\r\n"; };
                co_await cluster.connect();
            },
            {.connection = {.password = "guess"}});
    };
    EXPECT_THROW(log_in_wrongly(), ServerError);
}

TEST(RedisCluster, ACallThatIsCancelledLeavesTheOthersAlone) {
    with_cluster([](FakeCluster& fake, Cluster& cluster) -> Co<> {
        fake.special = [](const Arguments& command, char) -> std::optional<std::string> {
            return command[0] == "SET" ? std::optional("-OOM x\r\n") : std::nullopt;
        };
        aio::Task<Answer> waiting = aio::create_task(cluster.call(set(kLow)));
        co_await aio::sleep(1s);
        waiting.cancel();
        const Answer answer = co_await cluster.call(get(kLow));
        EXPECT_EQ(answer.reply.text, "OK");
        EXPECT_TRUE(waiting.cancelled());
    });
}

}  // namespace

}  // namespace weft::redis
