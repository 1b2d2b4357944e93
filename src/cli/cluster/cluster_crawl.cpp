#include "cli/cluster/cluster_crawl.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "archive/index/digest.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/shell_word.h"
#include "cli/cluster/cluster_access.h"
#include "cli/crawl/crawl_command.h"
#include "cli/crawl/new_folder.h"
#include "cli/show/standard_streams.h"
#include "cluster/cluster_frontier.h"
#include "crawl/scope/domains.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr const char* kAddressName = "state/cluster/address";
constexpr const char* kWorkerName = "state/cluster/worker";
constexpr std::string_view kLoginLine = "login\n";
constexpr std::size_t kSmallFileMax = 64_KiB;
constexpr std::size_t kListBytesMax = 64_MiB;

std::string machine_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// All workers must put a host into the same shard, so they need the same list.
std::string digest_of_list(const std::filesystem::path& path) {
    aio::SystemFiles files;
    return files.exists(path) ? archive::sha256_label(files.read_all(path, kListBytesMax)) : "none";
}

void demand_same_list(const cluster::CrawlRecord& record, const CrawlJob& job) {
    if (digest_of_list(job.config.public_suffix_list) == record.suffix_list) return;
    throw UsageError(fmt::format(
        "{} is not the public suffix list with which the crawl began: copy that file from a "
        "machine that takes part, and name it with --psl",
        job.config.public_suffix_list.string()));
}

// Opens the frontier in Redis, when the folder is there and locked.
class ClusterSource final : public crawl::FrontierSource {
public:
    explicit ClusterSource(const CrawlJob& job)
        : address_(cluster_address(job.cluster)),
          arguments_(job.cluster),
          settings_(job.folder.settings),
          is_new_(!job.is_resumed && !job.is_joined),
          worker_(job.folder.warc.prefix.substr(job.folder.warc.prefix.size() - 16)) {
        options_.nodes = address_.nodes;
        options_.connection = cluster_connection(address_, arguments_);
        options_.name = worker_;
        options_.rules.domain_max = job.config.hosts_per_domain_max.value_or(0);
        const auto& domain = job.config.domain_budget;
        options_.counts_domains = domain.page_count_max || domain.bytes_max || domain.time_max;
        options_.page_max = job.config.crawl_budget.page_count_max;
        options_.concurrency = job.config.concurrency;
        options_.machine = machine_name();
        const auto domains = crawl::Domains::load_if_there(job.config.public_suffix_list);
        options_.rules.domain_of = [domains](std::string_view host) {
            return std::string(domains->domain_of(host));
        };
        record_.suffix_list = digest_of_list(job.config.public_suffix_list);
        record_.begun = to_iso8601(job.config.started, 3);
        record_.settings = settings_;
    }

    Co<std::unique_ptr<frontier::KeptFrontier>> open(std::filesystem::path folder,
                                                     frontier::DiskOptions disk) override {
        const std::unique_ptr<redis::Cluster> cluster = co_await connect_to(address_, arguments_);
        if (cluster->slots()->replica_count_min() == 0) {
            fmt::print(stderr,
                       "weft: warning: a master of {} has no replica: if it is lost, so is the "
                       "queue of the crawl\n",
                       address_.to_string());
        }
        cluster::CrawlRecord record;
        if (is_new_) {
            record = co_await create(*cluster);
        } else {
            record = co_await demand_crawl(*cluster, address_);
            const cluster::CrawlKeys keys(record.crawl);
            const cluster::CrawlState state = co_await cluster::state_of(*cluster, keys);
            if (state == cluster::CrawlState::stopped) {
                co_await cluster::set_state(*cluster, keys, cluster::CrawlState::running);
            }
        }
        options_.crawl = record.crawl;
        options_.rules.seed = record.seed;
        keep_address(*disk.files, folder);
        auto opened =
            co_await cluster::ClusterFrontier::open(std::move(folder), std::move(disk), options_);
        frontier_ = opened.get();
        co_return std::unique_ptr<frontier::KeptFrontier>(std::move(opened));
    }

    cluster::ClusterFrontier& frontier() { return *frontier_; }

private:
    Co<cluster::CrawlRecord> create(redis::Cluster& cluster) {
        record_.seed = aio::EventLoop::running().random()();
        const auto record = co_await cluster::create_crawl(cluster, address_.name, record_);
        if (!record) {
            throw UsageError(fmt::format(
                "there is a crawl '{}' at {} already: `weft join {}` takes part in it; a new crawl "
                "needs another name",
                address_.name, address_.to_string(), shell_word(address_.to_string())));
        }
        co_return *record;
    }

    // Without user and password: folders are passed on.
    void keep_address(aio::FileSystem& files, const std::filesystem::path& folder) const {
        files.create_directories(folder / "state" / "cluster");
        const std::string login(address_.password.empty() ? "" : kLoginLine);
        files.write_all(folder / kAddressName, address_.to_string() + "\n" + login);
    }

    redis::Address address_;
    ClusterArguments arguments_;
    std::string settings_;
    bool is_new_;
    std::string worker_;
    cluster::WorkerOptions options_;
    cluster::CrawlRecord record_;
    cluster::ClusterFrontier* frontier_ = nullptr;
};

class CrewLink final : public ClusterLink, public cluster::CrawlControl {
public:
    CrewLink(crawl::Crew& crew, cluster::ClusterFrontier& frontier) : crew_(crew) {
        frontier.steer(*this);
    }

    std::uint64_t begun_page_count() const override { return crew_.begun_page_count(); }
    std::uint64_t set_allowance(std::uint64_t page_count, bool is_final) override {
        return crew_.set_allowance(page_count, is_final);
    }
    void set_others(std::size_t worker_count, std::uint64_t bytes) override {
        crew_.set_others(worker_count, bytes);
    }
    void stop() override { crew_.stop(); }

private:
    crawl::Crew& crew_;
};

// The name of the worker in a folder, or a new one.
std::string worker_of(const std::filesystem::path& folder) {
    aio::SystemFiles files;
    if (files.exists(folder / kWorkerName)) {
        const std::string name(trim(files.read_all(folder / kWorkerName, kSmallFileMax)));
        if (name.size() == 16) return name;
    }
    return fmt::format("{:016x}", secret_seed());  // Random, once for each process.
}

}  // namespace

void refuse_with_cluster(const CrawlJob& job) {
    const auto refuse = [](bool is_given, const char* option) {
        if (!is_given) return;
        throw UsageError(fmt::format("{} does not work with --cluster yet", option));
    };
    refuse(!job.earlier.empty(), "--earlier");
    refuse(!job.access.load_cookies.empty() && !job.access.has_cookie_text(), "--load-cookies");
    refuse(!job.access.save_cookies.empty(), "--save-cookies");
    refuse(!job.mirror.empty(), "--mirror");
    refuse(job.retries_failed, "--retry-failed");
    // Its lines are committed with the log of the folder; a journal does not name them.
    refuse(job.config.text != extract::TextForm::none, "--text");
}

void set_cluster(CrawlJob& job) {
    if (job.cluster.url.empty()) return;
    refuse_with_cluster(job);
    // The names of WARC files of all workers differ.
    job.folder.warc.prefix += "-" + worker_of(job.config.output);
    job.folder.frontier = std::make_shared<ClusterSource>(job);
}

std::unique_ptr<ClusterLink> link_to_cluster(const CrawlJob& job, crawl::Crew& crew) {
    auto* source = dynamic_cast<ClusterSource*>(job.folder.frontier.get());
    if (!source) return nullptr;
    return std::make_unique<CrewLink>(crew, source->frontier());
}

void settle_cluster(CrawlJob& job) {
    if (!job.cluster.url.empty()) return;
    aio::SystemFiles all;
    const std::filesystem::path path = std::filesystem::path(job.crawl_folder) / kAddressName;
    if (!all.exists(path)) return;
    const std::string text = all.inside(job.crawl_folder)->read_all(path, kSmallFileMax);
    const std::string_view address = trim(std::string_view(text).substr(0, text.find('\n')));
    if (text.ends_with(kLoginLine)) {
        throw UsageError(fmt::format(
            "the crawl's queue is at {}, with a password that its folder does not keep: give the "
            "whole address with WEFT_CLUSTER or --cluster",
            address));
    }
    job.cluster.url = address;
}

void settle_join(CLI::App& command, CrawlJob& job, const SettingSources& sources) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0 || option->get_lnames().empty()) continue;
        const std::string& name = option->get_lnames().front();
        if (name == "help" || is_local(name)) continue;
        throw UsageError(fmt::format(
            "--{} belongs to the crawl: `weft crawl` sets it once for all workers", name));
    }
    SettingSources local = sources;
    local.skips_kept = true;
    apply_settings(command, local);
    const redis::Address address = cluster_address(job.cluster);
    const auto find = [](redis::Address where, ClusterArguments how) -> Co<cluster::CrawlRecord> {
        const std::unique_ptr<redis::Cluster> cluster = co_await connect_to(where, how);
        co_return co_await demand_crawl(*cluster, where);
    };
    const cluster::CrawlRecord record = aio::run(find(address, job.cluster));
    SettingSources kept;
    kept.kept_name = address.to_string();
    kept.kept_text = record.settings;
    kept.environment = [](const std::string&) { return std::nullopt; };
    apply_settings(command, kept);
    demand_same_list(record, job);
    // The time of a crawl counts from its start, wherever that was.
    if (auto& time_max = job.config.crawl_budget.time_max) {
        const auto begun = parse_iso8601(record.begun);
        const Duration passed = begun ? SystemClock().wall() - *begun : Duration{};
        time_max = std::max<Duration>(1s, *time_max - std::max<Duration>(passed, 0s));
    }
}

int run_join(const CLI::App& command, CrawlJob& job) {
    job.is_joined = true;
    return run_crawl(command, job);
}

}  // namespace weft::cli
