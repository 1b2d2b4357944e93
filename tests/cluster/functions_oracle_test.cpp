// Random calls of the functions against a plain account of what must come out.

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "cluster/function_scene.h"
#include "support/build_kind.h"

namespace weft::cluster {

namespace {

using aio::Co;

// Workers that push, take, complete, repeat calls, lose their answers and die, all at one shard.
class RandomCrawl {
public:
    RandomCrawl(FunctionScene& scene, std::uint64_t seed) : scene_(scene), random_(seed) {}

    Co<> run(int step_count) {
        co_await start_term();
        co_await push_some();
        for (int i = 0; i < step_count; ++i) {
            switch (random_.below(10)) {
                case 0: co_await push_some(); break;
                case 1: co_await forget(); break;
                case 2: co_await start_term(); break;
                default: co_await complete_some(true);
            }
        }
        while (ended_.size() < known_.size()) co_await complete_some(false);
        co_await check();
    }

private:
    static constexpr int kHostCount = 4;

    std::string random_host() { return fmt::format("h{}.test", random_.below(kHostCount)); }

    LinkBatch random_links() {
        LinkBatch batch;
        for (std::uint64_t groups = random_.below(3) + 1; groups > 0; --groups) {
            batch.groups.push_back(links_of(random_host(), static_cast<int>(random_.below(120)),
                                            static_cast<int>(random_.below(4)) + 1,
                                            static_cast<std::uint8_t>(random_.below(4))));
        }
        return batch;
    }

    // The first to name a URL makes it known.
    void note(const LinkBatch& batch, const std::vector<Verdict>& verdicts) {
        std::size_t i = 0;
        for (const LinkGroup& group : batch.groups) {
            for (const Link& link : group.links) {
                const bool is_new = known_.insert(link.entry).second;
                EXPECT_EQ(verdicts.at(i++), is_new ? Verdict::fresh : Verdict::known);
            }
        }
    }

    Co<> push_some() {
        const LinkBatch batch = random_links();
        const auto verdicts = co_await scene_.call(push(scene_.key, batch));
        note(batch, verdicts);
    }

    // A new process of the worker: what the old one held is not known to it.
    Co<> start_term() {
        term_ = co_await scene_.claim_shard(fmt::format("w/{}", ++run_));
        next_number_ = 1;
        held_.clear();
    }

    // The worker has no room for its hosts.
    Co<> forget() {
        std::vector<Resting> hosts;
        for (const std::string& host : held_) hosts.push_back({host, Milliseconds(0)});
        held_.clear();
        co_await scene_.call(rest(scene_.key, term_, hosts));
    }

    Co<std::vector<HostEntries>> look_around() {
        const Due found =
            co_await scene_.call(due(scene_.key, term_, {.hosts_max = 2, .urls_max = 4}));
        for (const HostEntries& host : found.hosts) held_.insert(host.host);
        std::vector<TakeFrom> from;
        for (const std::string& host : held_) from.push_back({.host = host});
        std::vector<HostEntries> hosts;
        if (!from.empty()) hosts = co_await scene_.call(take(scene_.key, term_, 6, from));
        co_return hosts;
    }

    CompletedUrl completion_of(const std::string& host, const WaitingUrl& url, bool may_retry) {
        CompletedUrl completed = ended(host, url.place);
        completed.is_page = true;
        if (may_retry && random_.below(4) == 0) {
            completed.retry_in = Milliseconds(random_.below(3));
            completed.retry_entry = url.entry + "+";
        }
        return completed;
    }

    Co<> complete_some(bool is_lively) {
        std::vector<CompletedUrl> urls;
        std::set<std::string> names;
        for (const HostEntries& host : co_await look_around()) {
            for (const WaitingUrl& url : host.urls) {
                if (is_lively && random_.below(2) == 0) continue;
                urls.push_back(completion_of(host.host, url, is_lively));
                if (!urls.back().retry_in) names.insert(url.entry.substr(0, url.entry.find('+')));
            }
        }
        if (urls.empty()) co_return;
        const LinkBatch links = is_lively ? random_links() : LinkBatch();
        const auto request = [&] { return done(scene_.key, term_, next_number_, urls, links); };
        const Done first = co_await scene_.call(request());
        if (is_lively) note(links, first.links);
        page_count_ += urls.size();
        for (const std::string& name : names) {
            EXPECT_TRUE(known_.contains(name)) << name;
            EXPECT_TRUE(ended_.insert(name).second) << name << " ended twice";
        }
        if (random_.below(3) == 0) {
            const Done again = co_await scene_.call(request());
            EXPECT_TRUE(again.was_done_before);
        }
        next_number_ += urls.size();
    }

    Co<> check() {
        const Due rest_of_it = co_await scene_.call(due(scene_.key, term_, {}));
        EXPECT_TRUE(rest_of_it.hosts.empty());
        const Claimed sums = co_await scene_.call(claim(scene_.key, "w/end", Milliseconds(1)));
        EXPECT_EQ(sums.seen, known_.size());
        EXPECT_EQ(sums.done, known_.size());
        if (!scene_.lua) co_return;
        EXPECT_EQ(scene_.lua->memory.hashes.at(scene_.key).at("p:w"), std::to_string(page_count_));
        EXPECT_TRUE(scene_.lua->memory.lists.empty());
    }

    FunctionScene& scene_;
    Random random_;
    Term term_;
    int run_ = 0;
    std::uint64_t next_number_ = 1;
    std::uint64_t page_count_ = 0;
    std::set<std::string> held_;
    std::set<std::string> known_;
    std::set<std::string> ended_;
};

TEST(FrontierFunctionsOracle, EveryUrlEndsOnceWhateverComesBetween) {
    for (std::uint64_t seed = 1; seed <= (tests::kIsSanitized ? 30 : 100); ++seed) {
        InLua::run(
            [seed](FunctionScene& scene) -> Co<> {
                RandomCrawl crawl(scene, seed);
                co_await crawl.run(60);
            },
            seed);
        if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(FrontierFunctionsOracle, ARealServerAgrees) {
    InRedis::run([](FunctionScene& scene) -> Co<> {
        RandomCrawl crawl(scene, 1);
        co_await crawl.run(300);
    });
}

}  // namespace

}  // namespace weft::cluster
