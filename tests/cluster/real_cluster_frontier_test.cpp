// The functions in a real cluster whose slots move and whose masters die, in real time.

#include <charconv>
#include <set>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/sync/timeout.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "cluster/function_scene.h"

namespace weft::cluster {

namespace {

using aio::Co;

// Crawls a made web in some shards: each page links to pages of its own shard and of the next one.
// Every page must end once, and the counters must say so.
class MadeCrawl {
public:
    MadeCrawl(redis::Cluster& cluster, std::string name)
        : cluster_(cluster), keys_(std::move(name)) {}

    static constexpr int kShardCountUsed = 48;
    static constexpr int kPagesPerShard = 120;

    Co<> run() {
        for (int i = 0; i < kShardCountUsed; ++i) co_await begin(i);
        while (ended_count() < kShardCountUsed * kPagesPerShard) {
            std::vector<Request<Due>> asking;
            for (Shard& shard : shards_) asking.push_back(due(shard.key, shard.term, {}));
            co_await send_all(cluster_, std::move(asking));
            co_await complete_round();
        }
    }

    Co<> check() {
        for (Shard& shard : shards_) {
            const auto sums = co_await send(cluster_, claim(shard.key, "w/2", Milliseconds(1)));
            EXPECT_EQ(sums.value().seen, static_cast<std::uint64_t>(kPagesPerShard)) << shard.key;
            EXPECT_EQ(sums.value().done, static_cast<std::uint64_t>(kPagesPerShard)) << shard.key;
        }
    }

private:
    struct Shard {
        std::string key;
        std::string host;
        Term term;
        std::uint64_t next_number = 1;
        std::set<std::string> ended = {};
    };

    // Spread over the slots of all masters.
    static std::uint16_t index_of(int i) {
        return static_cast<std::uint16_t>(i * kShardCount / kShardCountUsed);
    }

    int ended_count() const {
        std::size_t count = 0;
        for (const Shard& shard : shards_) count += shard.ended.size();
        return static_cast<int>(count);
    }

    Co<> begin(int i) {
        Shard shard{.key = keys_.shard(index_of(i)),
                    .host = fmt::format("h{}.test", i),
                    .term = {.owner = "w/1"}};
        const auto claimed =
            co_await send(cluster_, claim(shard.key, "w/1", Milliseconds(600'000)));
        shard.term.number = claimed.value().number.value();
        co_await send(cluster_, push(shard.key, {.groups = {links_of(shard.host, 0, 1)}}));
        shards_.push_back(std::move(shard));
    }

    // Page n links to pages 2n + 1 and 2n + 2 of its host.
    static LinkGroup links_on(const std::string& host, const std::string& entry) {
        int page = 0;
        std::from_chars(entry.data() + entry.find('/') + 1, entry.data() + entry.size(), page);
        const int count = std::clamp(kPagesPerShard - (2 * page + 1), 0, 2);
        return links_of(host, 2 * page + 1, count);
    }

    Co<> complete_round() {
        std::vector<Request<std::vector<HostEntries>>> taking;
        for (Shard& shard : shards_) {
            taking.push_back(take(shard.key, shard.term, 8, {{.host = shard.host}}));
        }
        const auto taken = co_await send_all(cluster_, std::move(taking));
        // Links to the next shard go before the completion, as from one worker to another.
        std::vector<Request<std::vector<Verdict>>> pushing;
        std::vector<Request<Done>> completing;
        for (std::size_t i = 0; i < shards_.size(); ++i) {
            Shard& shard = shards_[i];
            std::vector<CompletedUrl> urls;
            LinkBatch own;
            for (const WaitingUrl& url : taken[i].value().at(0).urls) {
                urls.push_back(ended(shard.host, url.place));
                LinkGroup links = links_on(shard.host, url.entry);
                if (!links.links.empty()) own.groups.push_back(std::move(links));
                EXPECT_TRUE(shard.ended.insert(url.entry).second) << url.entry << " came twice";
            }
            Shard& next = shards_[(i + 1) % shards_.size()];
            pushing.push_back(push(next.key, {.groups = {links_of(next.host, 0, 1)}}));
            const std::uint64_t first = shard.next_number;
            shard.next_number += urls.size();
            if (!urls.empty()) completing.push_back(done(shard.key, shard.term, first, urls, own));
        }
        co_await send_all(cluster_, std::move(pushing));
        for (const auto& result : co_await send_all(cluster_, std::move(completing))) {
            EXPECT_TRUE(result.has_value()) << result.error().text;
        }
    }

    redis::Cluster& cluster_;
    const CrawlKeys keys_;
    std::vector<Shard> shards_;
};

// Crawls again and again until the trouble is over; each crawl has a name of its own.
template <class Trouble>
void crawl_during(int first_name, Trouble trouble) {
    if (!redis::RedisServers::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    redis::RedisServers& its_servers = redis::RedisServers::cluster();
    aio::run([](redis::RedisServers& servers, int name, Trouble body) -> Co<> {
        auto deadline = co_await aio::timeout(90s);
        co_await servers.settle();
        redis::ClusterOptions options = function_options();
        options.copies = 1;
        redis::Cluster cluster({servers.node(0), servers.node(1), servers.node(2)}, options);
        co_await cluster.connect();
        aio::Task<> disturbing = aio::create_task(body(servers, cluster));
        while (!disturbing.done()) {
            MadeCrawl crawl(cluster, fmt::format("w{}", name++));
            co_await crawl.run();
            co_await crawl.check();
        }
        co_await disturbing;
    }(its_servers, first_name, std::move(trouble)));
}

TEST(RealClusterFrontier, SlotsThatMoveLoseNothing) {
    crawl_during(100, [](redis::RedisServers& servers, redis::Cluster& cluster) -> Co<> {
        const std::vector<redis::Node> masters = cluster.slots()->masters();
        for (int turn = 0; turn < 2; ++turn) {
            co_await servers.settle();  // redis-cli moves no slot while the servers disagree.
            const auto from = servers.index_of(masters[turn == 0 ? 0 : 1]);
            const auto to = servers.index_of(masters[turn == 0 ? 1 : 0]);
            const redis::Reply source = co_await servers.ask(from, {"CLUSTER", "MYID"});
            const redis::Reply target = co_await servers.ask(to, {"CLUSTER", "MYID"});
            co_await servers.redis_cli({"--cluster", "reshard", servers.tls_node(0).to_string(),
                                        "--cluster-from", source.text, "--cluster-to", target.text,
                                        "--cluster-slots", "200", "--cluster-pipeline", "1",
                                        "--cluster-yes"});
        }
    });
}

TEST(RealClusterFrontier, AMasterThatDiesLosesNothing) {
    crawl_during(200, [](redis::RedisServers& servers, redis::Cluster& cluster) -> Co<> {
        co_await aio::sleep(300ms);
        const std::size_t master = servers.index_of(*cluster.slots()->master_of(5));
        servers.kill(master);
        while (!cluster.trouble()) co_await aio::sleep(5ms);
        while (cluster.trouble()) co_await aio::sleep(5ms);
        servers.start(master);
    });
}

}  // namespace

}  // namespace weft::cluster
