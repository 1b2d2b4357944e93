#include "crawl/run/crew.h"

#include <algorithm>
#include <optional>

#include "aio/loop/executor.h"
#include "aio/loop/shards.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "aio/task/wait.h"
#include "base/hash.h"
#include "crawl/run/disk_watch.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kTellInterval = 200ms;  // Between two reports of a shard, for displays.

// Gives each shard its share of the limits that hold for the whole crawl. The concurrency is
// rounded up, so that no shard is left without a place. Budget and rate are not divided: shards
// share them in SharedState.
std::vector<Config> divide(const Config& config, std::size_t count) {
    Config part = config;
    part.concurrency = (config.concurrency + count - 1) / count;
    part.body_bytes_held_max = config.body_bytes_held_max / count;
    part.robots_cache_bytes_max = config.robots_cache_bytes_max / count;
    part.host_count_max = config.host_count_max / count;
    return std::vector<Config>(count, part);
}

// "a.test:8080" -> "a.test". An IPv6 address without a port ends in ']'.
std::string_view without_port(std::string_view host) {
    const std::size_t colon = host.rfind(':');
    const bool has_port = colon != std::string_view::npos && host.back() != ']';
    return has_port ? host.substr(0, colon) : host;
}

}  // namespace

Crew::Crew(const Config& config, frontier::Frontier& frontier, PageFiles files, CrewOptions options)
    : frontier_(frontier),
      files_(files),
      earlier_(std::move(options.earlier)),
      resolver_(std::move(options.resolver)),
      loop_(aio::EventLoop::running()),
      on_outcome_(std::make_shared<OutcomeHandler>(std::move(options.on_outcome))),
      domains_(Domains::load_if_there(config.public_suffix_list)),
      configs_(divide(config, std::max<std::size_t>(1, options.shard_count))),
      shared_(std::make_shared<SharedState>(configs_.front(), configs_.size())),
      sharded_(frontier, configs_.size(),
               [this](const frontier::Candidate& url) { return shard_of(url.host); }),
      home_(configs_.front(), configs_.size() == 1 ? frontier : sharded_.desk(0), files,
            Hooks{.on_outcome = *on_outcome_}, shared_),
      told_(configs_.size()) {
    remember_earlier(home_, 0);
}

// Calls that other shards have posted may still be in the loop: they find a null handler.
Crew::~Crew() {
    *on_outcome_ = nullptr;
}

// The outcome handler of another shard: posts each outcome to the running loop.
OutcomeHandler Crew::post_home() const {
    if (!*on_outcome_) return {};
    return [&loop = loop_, handler = on_outcome_](Outcome outcome) {
        // Links and text may be large, and nothing bounds the number of posted outcomes. They are
        // in the page log by now.
        outcome.links = {};
        outcome.text = {};
        loop.call_soon_threadsafe([handler, told = std::move(outcome)] {
            if (*handler) (*handler)(told);
        });
    };
}

// The shard that owns a host (with or without its port): that of its registrable domain.
std::size_t Crew::shard_of(std::string_view host) const {
    if (configs_.size() == 1) return 0;
    return hash64(domains_->domain_of(without_port(host))) % configs_.size();
}

// Tells a shard's crawler what earlier runs of the crawl did.
void Crew::remember_earlier(Crawler& crawler, std::size_t shard) {
    if (!earlier_) return;
    earlier_([&](const Outcome& outcome) {
        if (shard == 0) shared_->add(cost_of(outcome));  // The crawl's budget counts it once.
        const auto url = web::Url::parse(outcome.url);
        const std::size_t owner = url ? shard_of(url->host()) : 0;
        if (owner == shard) {
            crawler.remember(outcome);
        } else {
            crawler.remember_way(outcome);
        }
    });
}

// Runs the crawler of another shard, on that shard's thread. It reports to told_ at intervals, and
// once more at the end so that the final numbers are complete.
Co<> Crew::work(std::size_t shard) {
    Crawler crawler(configs_[shard], sharded_.desk(shard), files_, Hooks{.on_outcome = post_home()},
                    shared_);
    remember_earlier(crawler, shard);
    const auto tell = [&] {
        Word word{.numbers = crawler.statistics(),
                  .active_host_count = crawler.active_host_count(),
                  .hosts = crawler.busy_hosts()};
        const std::lock_guard lock(mutex_);
        told_[shard] = std::move(word);
    };
    tell();
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        aio::Task<> crawling = group.create_task(crawler.run(), "crawl");
        aio::Task<> telling = group.create_task(
            [](const auto& say) -> Co<> {
                for (;;) {
                    co_await aio::sleep(kTellInterval);
                    say();
                }
            }(tell),
            "statistics");
        co_await aio::wait_futures({crawling.state()});
        telling.cancel();
    });
    tell();
}

// Runs the crawl, and beside it the watch on free disk space if there is a reserve.
Co<> Crew::run() {
    const Config& config = configs_.front();
    if (config.disk_reserve_bytes == 0 || config.output.empty()) {
        co_await crawl();
        co_return;
    }
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        aio::Task<> watching =
            group.create_task(watch_disk(config.output, config.disk_reserve_bytes,
                                         [this] { home_.stop(StopReason::disk); }),
                              "disk");
        aio::Task<> crawling = group.create_task(crawl(), "crawl");
        co_await aio::wait_futures({crawling.state()});
        watching.cancel();
    });
}

Co<> Crew::crawl() {
    if (shard_count() == 1) {
        co_await home_.run();
        co_return;
    }
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        aio::Task<> serving = group.create_task(sharded_.serve(), "frontier");
        aio::Task<> crawling = group.create_task(home_.run(), "crawl");
        aio::Task<> others = group.create_task(run_others(), "other shards");
        co_await aio::wait_futures({crawling.state(), others.state()});
        serving.cancel();  // It would serve for ever; no shard needs it any more.
    });
}

namespace {

// Cancels the shards when the scope is left, also by an exception or a cancellation.
struct EndShards {
    aio::Shards& shards;
    ~EndShards() { shards.cancel(); }
};

}  // namespace

// Runs all shards but the first. If it is cancelled, the destructors below cancel the shards, then
// wait for the thread. That cannot deadlock: the shards need nothing from this thread to end.
Co<> Crew::run_others() {
    aio::Shards shards(shard_count() - 1, resolver_);
    aio::ThreadPool thread(1);  // Shards::run() blocks.
    const EndShards end{shards};
    co_await aio::run_in(thread, [&] {
        shards.run([this](const aio::Shard& shard) -> Co<> { co_await work(shard.index + 1); });
    });
}

std::uint64_t Crew::set_allowance(std::uint64_t page_count, bool is_final) {
    const std::uint64_t allowed = shared_->set_allowance(page_count, is_final);
    home_.look_again();
    return allowed;
}

void Crew::set_others(std::size_t worker_count, std::uint64_t bytes) {
    shared_->set_others(worker_count, bytes);
    home_.look_again();
}

Statistics Crew::numbers() const {
    Statistics all = home_.statistics();
    const std::lock_guard lock(mutex_);
    for (const Word& word : told_) all.add(word.numbers);
    return all;
}

std::size_t Crew::active_host_count() const {
    std::size_t count = home_.active_host_count();
    const std::lock_guard lock(mutex_);
    for (const Word& word : told_) count += word.active_host_count;
    return count;
}

Co<std::vector<HostStatus>> Crew::host_statuses() {
    std::vector<HostStatus> hosts = home_.busy_hosts();
    {
        const std::lock_guard lock(mutex_);
        for (const Word& word : told_) {
            hosts.insert(hosts.end(), word.hosts.begin(), word.hosts.end());
        }
    }
    co_return co_await count_waiting(frontier_, std::move(hosts));
}

}  // namespace weft::crawl
