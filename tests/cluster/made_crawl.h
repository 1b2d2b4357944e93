#pragma once

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "aio/task/task_group.h"
#include "base/hash.h"
#include "base/random.h"
#include "cluster/cluster_frontier.h"
#include "cluster/function_scene.h"

// Crawls of made webs by several workers in virtual time, on the real functions.
namespace weft::cluster {

inline int number_at(std::string_view text, std::size_t from) {
    int value = 0;
    std::from_chars(text.data() + from, text.data() + text.size(), value);
    return value;
}

// A web in which each page has links that follow from its URL.
struct MadeWeb {
    int hosts = 20;
    int pages = 20;  // Of each host.
    int links = 5;   // Of each page.

    std::string url(int host, int page) const {
        return fmt::format("http://h{}.test/{}", host, page);
    }

    frontier::Candidate candidate(std::string url) const {
        const std::size_t end = url.find('/', 7);
        frontier::Candidate candidate;
        candidate.host = url.substr(7, end - 7);
        candidate.key = url;
        candidate.url = std::move(url);
        return candidate;
    }

    std::vector<frontier::Candidate> seeds() const { return {candidate(url(0, 0))}; }

    // Some to its own host, some to others. Page n links to n + 1, so all are found.
    std::vector<frontier::Candidate> links_of(const std::string& from) const {
        const std::size_t slash = from.rfind('/');
        const int host = number_at(from, 8);
        const int page = number_at(from, slash + 1);
        std::vector<frontier::Candidate> found;
        if (page + 1 < pages) found.push_back(candidate(url(host, page + 1)));
        if (page == 0 && host + 1 < hosts) found.push_back(candidate(url(host + 1, 0)));
        for (int i = 0; i < links; ++i) {
            const std::uint64_t hash = hash64(from, static_cast<std::uint64_t>(i));
            found.push_back(
                candidate(url(static_cast<int>(hash % static_cast<unsigned>(hosts)),
                              static_cast<int>((hash >> 32) % static_cast<unsigned>(pages)))));
        }
        return found;
    }
};

// A page log that survives the death of its process, as a file does.
class MadeLog final : public frontier::CrawlFiles {
public:
    void add_outcome(std::string_view outcome) override { lines.emplace_back(outcome); }
    aio::Co<> sync() override { co_return; }
    std::string save() override { return std::to_string(lines.size()); }
    bool holds(std::string_view, std::uint64_t) override { return true; }

    // Before the frontier is opened, and after.
    void begin() { before_ = std::exchange(lines, {}); }
    void end(const std::string& saved) {
        const std::size_t size = saved.empty() ? 0 : static_cast<std::size_t>(number_at(saved, 0));
        before_.resize(std::min(size, before_.size()));
        before_.insert(before_.end(), lines.begin(), lines.end());
        lines = std::move(before_);
    }

    std::vector<std::string> lines;

private:
    std::vector<std::string> before_;
};

// One master and its replica, which is in step after each WAIT.
struct MadeRedis {
    LuaRedis lua{function_library()};
    LuaRedis::Memory replica = {};
    Random random{7};
    double lost_reply_chance = 0;  // The call is done, and its answer lost.
    bool is_down = false;
    bool has_replica = false;  // It takes its time to copy.
    int replica_count = 1;     // 0: the workers know of none, so they do not WAIT.

    std::optional<std::string> answer(const redis::FakeRedis& front,
                                      const redis::Arguments& command) {
        if (is_down) return std::string();  // Closes the connection.
        if (command[0] == "CLUSTER") return redis::array({front.range(0, 16'383, replica_count)});
        if (command[0] == "WAIT") {
            if (has_replica) replica = lua.memory;
            return redis::number(1);
        }
        std::string reply = lua.answer(command);
        const bool is_lost = random.unit() < lost_reply_chance;
        return is_lost ? std::string() : std::optional(std::move(reply));
    }

    // The replica takes over: what it has not got is lost.
    void fail_over() { lua.memory = replica; }
};

struct Fetch {
    std::string worker;
    TimePoint when;
    bool has_ended = false;  // False: its worker was killed.
};

struct MadeCrawl {
    aio::SimulatedLoop& loop;
    MadeWeb web = {};
    MadeRedis redis = {};
    Duration delay = 1s;
    std::optional<std::uint64_t> page_max = {};
    double retry_chance = 0;
    Duration patience = 60s;
    bool asks_lease = true;
    Random random{11};
    std::map<std::string, std::vector<Fetch>> fetches = {};  // By host.
    std::uint64_t fetch_count = 0;
};

// A worker: a folder, and a process that may be killed and started again.
class MadeWorker final : private CrawlControl {
public:
    MadeWorker(MadeCrawl& crawl, std::string name)
        : crawl_(crawl),
          name_(std::move(name)),
          front_(crawl.loop, name_ + ".test", [this](const redis::Arguments& command) {
              return is_cut_off ? std::nullopt : crawl_.redis.answer(front_, command);
          }) {}

    void start() {
        ended = false;
        process_ = aio::create_task(run(), name_);
    }

    aio::Co<> kill() {
        process_->cancel();
        while (!process_->done()) co_await aio::sleep(1ms);
        co_await aio::sleep(1ms);
    }

    bool is_cut_off = false;
    bool ended = false;
    std::string error;
    MadeLog log;
    std::uint64_t kept_count = 0;

private:
    aio::Co<> run() {
        try {
            co_await crawl_all();
        } catch (const aio::ExceptionGroup& group) {
            try {
                std::rethrow_exception(group.exceptions().front());
            } catch (const std::exception& first) {
                error = first.what();
            }
        } catch (const Error& failure) {
            error = failure.what();
        }
        ended = true;
    }

    aio::Co<> crawl_all() {
        WorkerOptions options;
        options.nodes = {front_.node()};
        options.crawl = "w1";
        options.rules.seed = 99;
        options.rules.domain_of = [](std::string_view host) { return std::string(host); };
        options.page_max = crawl_.page_max;
        options.concurrency = 16;
        options.patience = crawl_.patience;
        log.begin();
        begun_ = page_count_ = allowance_ = 0;
        is_final_ = is_stopped_ = false;
        std::unique_ptr<ClusterFrontier> frontier = co_await ClusterFrontier::open(
            "/" + name_, {.memory_bytes = 1_MiB, .crawl_files = &log}, std::move(options));
        log.end(frontier->recovered().saved);
        page_count_ = log.lines.size();
        frontier->steer(*this);
        co_await frontier->push(crawl_.web.seeds());
        co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
            for (;;) {
                while (crawl_.page_max && !is_stopped_ && begun_ + page_count_ >= allowance_) {
                    if (is_final_ && begun_ == 0) is_stopped_ = true;
                    co_await aio::sleep(5ms);
                }
                if (is_stopped_) frontier->close();
                auto visit = co_await frontier->next();
                if (!visit) break;
                ++begun_;
                group.create_task(fetch(*frontier, *std::move(visit)));
            }
        });
        co_await frontier->finish();
    }

    aio::Co<> fetch(ClusterFrontier& frontier, frontier::Visit visit) {
        aio::EventLoop& loop = aio::EventLoop::running();
        const auto some = [this](int most) {
            return Duration(1ms) *
                   static_cast<int>(crawl_.random.below(static_cast<unsigned>(most)));
        };
        co_await aio::sleep(some(20));
        if (crawl_.asks_lease && !visit.lease->holds(loop.time())) {
            --begun_;
            co_await frontier.complete(
                {.visit_id = visit.id, .retry_at = loop.time(), .is_unbegun = true, .found = {}});
            co_return;
        }
        std::vector<Fetch>& fetches = crawl_.fetches[visit.candidate.host];
        const std::size_t index = fetches.size();
        fetches.push_back({name_, loop.time()});
        ++crawl_.fetch_count;
        co_await aio::sleep(some(200));
        frontier::Completion completion{.visit_id = visit.id, .retry_at = {}, .found = {}};
        completion.host_ready_at = loop.time() + crawl_.delay;
        if (visit.attempt == 1 && crawl_.random.unit() < crawl_.retry_chance) {
            completion.retry_at = loop.time() + 3s;
        } else {
            completion.outcome = visit.candidate.url;
            completion.spent = {.is_page = true, .bytes = 10};
            completion.found = crawl_.web.links_of(visit.candidate.url);
        }
        const bool is_page = completion.spent.is_page;
        const frontier::Completed completed = co_await frontier.complete(std::move(completion));
        fetches[index].has_ended = true;
        --begun_;
        if (!completed.is_kept || !is_page) co_return;
        ++page_count_;
        ++kept_count;
    }

    std::uint64_t begun_page_count() const override { return begun_ + page_count_; }
    std::uint64_t set_allowance(std::uint64_t page_count, bool is_final) override {
        is_final_ = is_final;
        return allowance_ = std::max(page_count, begun_page_count());
    }
    void set_others(std::size_t, std::uint64_t) override {}
    void stop() override { is_stopped_ = true; }

    MadeCrawl& crawl_;
    std::string name_;
    redis::FakeRedis front_;
    std::optional<aio::Task<>> process_;
    std::uint64_t begun_ = 0;
    std::uint64_t page_count_ = 0;
    std::uint64_t allowance_ = 0;
    bool is_final_ = false;
    bool is_stopped_ = false;
};

}  // namespace weft::cluster
