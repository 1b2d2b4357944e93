#include "cli/cluster/status_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "base/units.h"
#include "cli/cluster/cluster_access.h"
#include "cli/options/option_table.h"
#include "cli/show/exit_status.h"
#include "cli/show/json_text.h"
#include "cli/show/standard_streams.h"
#include "cluster/limits.h"
#include "cluster/worker/worker_report.h"
#include "redis/slots.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr OptionSpec<StatusArguments> kStatusRows[] = {
    {"--json", "", "print JSON", [](auto& status) { return flag(status.as_json); }},
};

struct WorkerStatus {
    std::string name;
    Duration age{};
    std::size_t shard_count = 0;
    cluster::WorkerReport report;

    double rate() const {
        const double seconds = std::clamp(static_cast<double>(report.run_ms) / 1'000, 1.0, 10.0);
        return static_cast<double>(report.recent_pages) / seconds;
    }
    bool lives() const { return age <= cluster::kHeardWithin; }
};

struct MasterStatus {
    std::string address;
    std::uint64_t used_bytes = 0;
    std::uint64_t max_bytes = 0;  // 0: no limit.
};

struct Status {
    std::string name;
    std::string address;
    std::string crawl;
    std::string begun;
    cluster::CrawlState state = cluster::CrawlState::running;
    cluster::Totals totals;
    std::vector<WorkerStatus> workers;
    std::size_t owned_count = 0;
    std::vector<MasterStatus> masters;
    std::size_t replica_count_min = 0;
    std::vector<std::string> troubles;
};

std::uint64_t number_in(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// The value behind "name:" in the answer of INFO.
std::uint64_t info_number(std::string_view info, std::string_view name) {
    const std::size_t at = info.find("\n" + std::string(name) + ":");
    return at == info.npos ? 0 : number_in(info.substr(at + name.size() + 2));
}

// Milliseconds since the epoch, by the server's clock.
Co<std::int64_t> server_time(redis::Cluster& cluster, std::string key) {
    const redis::Reply reply = co_await cluster::ask(cluster, key, redis::Command("TIME"));
    if (!reply.is_array() || reply.elements.size() != 2) co_return 0;
    co_return static_cast<std::int64_t>(number_in(reply.elements[0].text) * 1'000 +
                                        number_in(reply.elements[1].text) / 1'000);
}

Co<> read_workers(redis::Cluster& cluster, const cluster::CrawlKeys& keys, Status& status) {
    const std::string key = keys.workers();
    const std::int64_t now = co_await server_time(cluster, key);
    redis::Command command("HGETALL");
    command.add(key);
    const redis::Reply reply = co_await cluster::ask(cluster, key, std::move(command));
    for (std::size_t i = 0; i + 1 < reply.elements.size(); i += 2) {
        const std::string_view text = reply.elements[i + 1].text;
        const auto heard_at = static_cast<std::int64_t>(number_in(text));
        const std::size_t blank = std::min(text.find(' ') + 1, text.size());
        status.workers.push_back(
            {.name = reply.elements[i].text,
             .age = std::chrono::milliseconds(std::max<std::int64_t>(0, now - heard_at)),
             .report = cluster::WorkerReport::parse(text.substr(blank))});
    }
    std::ranges::sort(status.workers, {}, &WorkerStatus::name);
}

Co<> read_shards(redis::Cluster& cluster, const cluster::CrawlKeys& keys, Status& status) {
    std::vector<redis::Call> calls;
    for (std::uint16_t shard = 0; shard < cluster::kShardCount; ++shard) {
        const std::string key = keys.shard(shard);
        redis::Command command("HMGET");
        command.add(key).add("own").add("seen").add("done").add("over").add("bytes");
        calls.push_back({.slot = redis::slot_of(key), .command = std::move(command)});
    }
    const std::vector<redis::Answer> answers = co_await cluster.call_all(std::move(calls));
    for (const redis::Answer& answer : answers) {
        if (!answer.reply.is_array() || answer.reply.elements.size() != 5) continue;
        const std::vector<redis::Reply>& fields = answer.reply.elements;
        status.totals.seen += number_in(fields[1].text);
        status.totals.done += number_in(fields[2].text);
        status.totals.over_budget += number_in(fields[3].text);
        status.totals.bytes += number_in(fields[4].text);
        const std::string owner = fields[0].text.substr(0, fields[0].text.find('/'));
        status.owned_count += owner.empty() ? 0 : 1;
        const auto worker = std::ranges::find(status.workers, owner, &WorkerStatus::name);
        if (worker != status.workers.end()) ++worker->shard_count;
    }
}

Co<> read_masters(redis::Cluster& cluster, Status& status) {
    status.replica_count_min = cluster.slots()->replica_count_min();
    std::map<redis::Node, std::uint16_t> slot_of_master;
    for (std::uint16_t slot = 0; slot < redis::kSlotCount; ++slot) {
        if (const redis::Node* master = cluster.slots()->master_of(slot)) {
            slot_of_master.try_emplace(*master, slot);
        }
    }
    for (const auto& [node, slot] : slot_of_master) {
        redis::Command command("INFO");
        command.add("memory");
        const redis::Answer answer =
            co_await cluster.call({.slot = slot, .command = std::move(command)});
        status.masters.push_back({.address = node.to_string(),
                                  .used_bytes = info_number(answer.reply.text, "used_memory"),
                                  .max_bytes = info_number(answer.reply.text, "maxmemory")});
    }
}

// What is wrong, and what to do.
void find_troubles(Status& status) {
    const auto add = [&](std::string text) { status.troubles.push_back(std::move(text)); };
    const bool goes_on = status.state == cluster::CrawlState::running;
    const auto lives = [](const WorkerStatus& worker) { return worker.lives(); };
    if (goes_on && std::ranges::none_of(status.workers, lives)) {
        add(
            fmt::format("no worker runs: `weft join {}` takes part, `weft resume DIR` goes on with "
                        "a worker's folder",
                        shell_word(status.address)));
    }
    for (const WorkerStatus& worker : status.workers) {
        if (!worker.lives()) {
            add(
                fmt::format("worker {} was not heard for {}: the others take its shards; `weft "
                            "resume {}` on {} goes on with it",
                            worker.name.substr(0, 8), human_duration(worker.age),
                            shell_word(worker.report.folder), worker.report.machine));
        } else if (!worker.report.trouble.empty()) {
            add(fmt::format("worker {}: {}", worker.name.substr(0, 8), worker.report.trouble));
        }
    }
    for (const MasterStatus& master : status.masters) {
        const bool is_full = master.max_bytes > 0 && master.used_bytes * 10 >= master.max_bytes * 9;
        if (!is_full) continue;
        add(fmt::format(
            "{} has used {} of {}: raise its maxmemory, or add masters and move slots "
            "to them; when it is full, workers wait",
            master.address, human_bytes(master.used_bytes), human_bytes(master.max_bytes)));
    }
    if (status.replica_count_min == 0) {
        add("a master has no replica: if it is lost, so is its part of the queue");
    }
}

std::string_view name_of(cluster::CrawlState state) {
    switch (state) {
        case cluster::CrawlState::running: return "running";
        case cluster::CrawlState::stopped: return "stopped";
        case cluster::CrawlState::over: return "over";
    }
    return "";
}

std::string to_text(const Status& status) {
    std::string text = fmt::format("Crawl {} at {}: {}, begun {}\n", status.name, status.address,
                                   name_of(status.state), status.begun);
    text +=
        fmt::format("URLs     {} seen, {} done, {} waiting, {} of content\n", status.totals.seen,
                    status.totals.done, status.totals.waiting(), human_bytes(status.totals.bytes));
    text += fmt::format("Shards   {} of {} owned\n", status.owned_count, cluster::kShardCount);
    for (const WorkerStatus& worker : status.workers) {
        text += fmt::format(
            "Worker   {}  {} shards, {} pages, {:.1f} pages/s, {} under way, heard "
            "{:.1f} s ago, {}:{}\n",
            worker.name.substr(0, 8), worker.shard_count, worker.report.pages, worker.rate(),
            worker.report.active, in_seconds(worker.age),
            escape_for_terminal(worker.report.machine), escape_for_terminal(worker.report.folder));
    }
    for (const MasterStatus& master : status.masters) {
        text += fmt::format(
            "Redis    {}  {} used{}\n", master.address, human_bytes(master.used_bytes),
            master.max_bytes == 0 ? ", no limit set (maxmemory)"
                                  : fmt::format(" of {}", human_bytes(master.max_bytes)));
    }
    for (const std::string& trouble : status.troubles) {
        text += fmt::format("Trouble  {}\n", escape_for_terminal(trouble));
    }
    return text;
}

std::string to_json(const Status& status) {
    nlohmann::ordered_json json = {{"name", status.name},
                                   {"address", status.address},
                                   {"state", name_of(status.state)},
                                   {"begun", status.begun},
                                   {"seen", status.totals.seen},
                                   {"done", status.totals.done},
                                   {"waiting", status.totals.waiting()},
                                   {"over_budget", status.totals.over_budget},
                                   {"bytes", status.totals.bytes},
                                   {"shards_owned", status.owned_count}};
    json["workers"] = nlohmann::ordered_json::array();
    for (const WorkerStatus& worker : status.workers) {
        json["workers"].push_back({{"name", worker.name},
                                   {"machine", worker.report.machine},
                                   {"folder", worker.report.folder},
                                   {"age_seconds", in_seconds(worker.age)},
                                   {"shards", worker.shard_count},
                                   {"pages", worker.report.pages},
                                   {"pages_per_second", worker.rate()},
                                   {"active", worker.report.active},
                                   {"trouble", worker.report.trouble}});
    }
    json["masters"] = nlohmann::ordered_json::array();
    for (const MasterStatus& master : status.masters) {
        json["masters"].push_back({{"address", master.address},
                                   {"used_bytes", master.used_bytes},
                                   {"max_bytes", master.max_bytes}});
    }
    json["troubles"] = status.troubles;
    return to_json_text(json, JsonLayout::lines);
}

Co<Status> read_status(ClusterArguments arguments) {
    const redis::Address address = cluster_address(arguments);
    const std::unique_ptr<redis::Cluster> cluster = co_await connect_to(address, arguments);
    const cluster::CrawlRecord record = co_await demand_crawl(*cluster, address);
    const cluster::CrawlKeys keys(record.crawl);
    Status status{.name = address.name,
                  .address = address.to_string(),
                  .crawl = record.crawl,
                  .begun = record.begun};
    status.state = co_await cluster::state_of(*cluster, keys);
    co_await read_workers(*cluster, keys, status);
    co_await read_shards(*cluster, keys, status);
    co_await read_masters(*cluster, status);
    find_troubles(status);
    co_return status;
}

Co<std::string> stop_crawl(ClusterArguments arguments) {
    const redis::Address address = cluster_address(arguments);
    const std::unique_ptr<redis::Cluster> cluster = co_await connect_to(address, arguments);
    const cluster::CrawlRecord record = co_await demand_crawl(*cluster, address);
    const cluster::CrawlKeys keys(record.crawl);
    const cluster::CrawlState state = co_await cluster::state_of(*cluster, keys);
    if (state == cluster::CrawlState::over) {
        co_return fmt::format("The crawl {} is over already.\n", address.name);
    }
    co_await cluster::set_state(*cluster, keys, cluster::CrawlState::stopped);
    co_return fmt::format(
        "All workers of {} finish what is under way and end. To go on: `weft resume DIR` with each "
        "worker's folder, or `weft join {}`.\n",
        address.name, shell_word(address.to_string()));
}

}  // namespace

void add_status(CLI::App& app, StatusArguments& arguments) {
    CLI::App* status =
        app.add_subcommand("status", "Show how a crawl on several machines is doing");
    add_cluster_access(*status, arguments.cluster);
    add_options(*status, "Options", kStatusRows, arguments);
}

void add_stop(CLI::App& app, StopArguments& arguments) {
    CLI::App* stop = app.add_subcommand("stop", "Stop a crawl on several machines");
    add_cluster_access(*stop, arguments.cluster);
}

int run_status(const StatusArguments& arguments) {
    const Status status = aio::run(read_status(arguments.cluster));
    say_all(stdout, arguments.as_json ? to_json(status) : to_text(status));
    return exit_done;
}

int run_stop(const StopArguments& arguments) {
    const std::string text = aio::run(stop_crawl(arguments.cluster));
    say_all(stdout, text);
    return exit_done;
}

}  // namespace weft::cli
