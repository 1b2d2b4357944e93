#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/simulated/simulation.h"
#include "base/hash.h"
#include "cluster/calls.h"
#include "cluster/lua_redis.h"
#include "cluster/shard.h"
#include "redis/cluster.h"
#include "redis/fake_redis.h"
#include "redis/redis_servers.h"

namespace weft::cluster {

// A server with our functions, and a crawl in it.
struct FunctionScene {
    redis::Cluster& cluster;
    LuaRedis* lua = nullptr;  // Null: a real server.
    CrawlKeys keys{"w1"};
    std::string key = keys.shard(7);

    // What a call of the shard gives that must not be refused.
    template <class T>
    aio::Co<T> call(Request<T> request) {
        Result<T> result = co_await send(cluster, std::move(request));
        if (!result) throw CallError(result.error().text);
        co_return *std::move(result);
    }

    aio::Co<Term> claim_shard(std::string owner, Milliseconds lease = std::chrono::seconds(15)) {
        const Claimed claimed = co_await call(claim(key, owner, lease));
        co_return Term{.owner = owner, .number = claimed.number.value()};
    }
};

inline redis::ClusterOptions function_options() {
    return {.connection = {},
            .library = std::string(function_library()),
            .again = function_errors_to_repeat()};
}

// In virtual time, in Lua of our own.
struct InLua {
    template <class Body>
    static void run(Body body, std::uint64_t seed = 1) {
        aio::SimulatedLoop loop(seed);
        loop.run([](aio::SimulatedLoop& own, Body inner) -> aio::Co<> {
            LuaRedis lua(function_library());
            redis::FakeRedis server(own, "a.test", [&lua](const redis::Arguments& command) {
                return command[0] == "CLUSTER"
                           ? std::string("-ERR This instance has cluster support disabled\r\n")
                           : lua.answer(command);
            });
            redis::Cluster cluster({server.node()}, function_options());
            FunctionScene scene{.cluster = cluster, .lua = &lua};
            co_await inner(scene);
        }(loop, std::move(body)));
    }
};

// In real time, in a real server.
struct InRedis {
    template <class Body>
    static void run(Body body) {
        if (!redis::RedisServers::is_installed()) GTEST_SKIP() << "redis-server is not installed";
        redis::RedisServers& servers = redis::RedisServers::plain();
        aio::run([](redis::RedisServers& own, Body inner) -> aio::Co<> {
            co_await own.ask(0, {"FLUSHALL"});
            redis::Cluster cluster({own.node(0)}, function_options());
            FunctionScene scene{.cluster = cluster};
            co_await inner(scene);
        }(servers, std::move(body)));
    }
};

// Links to one host, numbered from `first` on; an entry is "<host>/<number>".
inline LinkGroup links_of(std::string host, int first, int count, std::uint8_t class_number = 0) {
    LinkGroup group{.host = host, .domain = "d.test", .class_number = class_number, .links = {}};
    for (int i = first; i < first + count; ++i) {
        std::string entry = host + "/" + std::to_string(i);
        const std::uint64_t fingerprint = hash64(entry);
        group.links.push_back({fingerprint, std::move(entry)});
    }
    return group;
}

inline std::string letters(const std::vector<Verdict>& verdicts) {
    std::string text;
    for (const Verdict verdict : verdicts) text += static_cast<char>(verdict);
    return text;
}

inline std::vector<std::string> entries(const HostEntries& host) {
    std::vector<std::string> list;
    for (const WaitingUrl& url : host.urls) list.push_back(url.entry);
    return list;
}

inline CompletedUrl ended(const std::string& host, const Place& place) {
    return {.host = host, .domain = {}, .place = place, .retry_in = {}, .retry_entry = {}};
}

}  // namespace weft::cluster
