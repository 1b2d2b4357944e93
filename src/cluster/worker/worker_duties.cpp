#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "aio/task/sleep.h"
#include "cluster/worker/worker.h"
#include "redis/error.h"
#include "redis/slots.h"

// What a worker does for the crawl as a whole.
namespace weft::cluster {

using aio::Co;

namespace {

constexpr Duration kReportEvery = 1s;
constexpr Duration kCountEvery = 1s;
constexpr Duration kWatchEvery = 250ms;
constexpr Duration kTroubleToldAfter = 3s;
constexpr Duration kBuriedAfter = 30s;
constexpr std::size_t kRateSeconds = 10;

}  // namespace

std::size_t ClusterFrontier::Worker::worker_count() const {
    const auto lives = [](const Heard& heard) { return heard.age <= kHeardWithin; };
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ranges::count_if(terms_.workers(), lives)));
}

bool ClusterFrontier::Worker::has_demand() const {
    const std::optional<TimePoint> when = held_.next_time();
    return held_.lent_count() > 0 || (when && *when <= now());
}

// One worker counts for all: the first of those that live.
bool ClusterFrontier::Worker::is_counter() const {
    for (const Heard& heard : terms_.workers()) {
        if (heard.age <= kHeardWithin && heard.worker < name) return false;
    }
    return !terms_.workers().empty();
}

WorkerReport ClusterFrontier::Worker::report() const {
    WorkerReport report;
    report.pages = used_pages_;
    report.bytes = run_bytes_;
    report.active = held_.lent_count();
    report.shards = terms_.owned_count();
    report.run_ms = static_cast<std::uint64_t>(
        std::chrono::duration_cast<Milliseconds>(now() - began_).count());
    report.run_pages = run_pages_;
    for (const std::uint64_t pages : pages_by_second_) report.recent_pages += pages;
    report.machine = options_.machine;
    report.folder = folder_.string();
    report.trouble = trouble_;
    if (is_counter()) report.totals = totals_;
    return report;
}

Co<> ClusterFrontier::Worker::report_on() {
    if (options_.page_max) {
        co_await steered_.wait();
        const PurseOptions purse{
            .worker = name, .page_max = *options_.page_max, .concurrency = options_.concurrency};
        purse_.emplace(*sender_, keys_, purse, *control, *this);
        group_->create_task(purse_->run(), "purse");
    }
    for (;;) {
        pages_by_second_.push_back(0);
        if (pages_by_second_.size() > kRateSeconds) pages_by_second_.pop_front();
        terms_.set_text(report().to_text());
        for (const Heard& heard : terms_.workers()) {
            if (is_counter()) break;
            const WorkerReport other = WorkerReport::parse(heard.text);
            if (other.totals && heard.age <= kHeardWithin) totals_ = other.totals;
        }
        if (control && totals_) {
            const std::uint64_t mine = std::min(run_bytes_, totals_->bytes);
            control->set_others(worker_count(), totals_->bytes - mine);
        }
        co_await read_state();
        co_await aio::sleep(kReportEvery);
    }
}

Co<> ClusterFrontier::Worker::read_state() {
    const redis::Answer answer = co_await sender_->post(read_fields(keys_.state(), {"state"}));
    if (!answer.reply.is_array() || answer.reply.elements.empty()) co_return;
    const std::string& state = answer.reply.elements.front().text;
    if (state == "over") {
        is_over_ = true;
        changed_.set();
    }
    if (state == "stop" && control && !is_closed_) control->stop();
}

Co<> ClusterFrontier::Worker::count_on() {
    for (;;) {
        co_await aio::sleep(kCountEvery);
        if (!is_counter()) continue;
        totals_ = co_await census_.scan(*sender_);
        co_await bury_dead();
        // Without the seeds, an empty crawl looks like one that is over.
        if (!has_seeds_ || !census_.is_over() || is_over_) continue;
        redis::Command command("HSET");
        command.add(keys_.state()).add("state").add("over");
        co_await sender_->post({.slot = redis::slot_of(keys_.state()),
                                .command = std::move(command),
                                .is_write = true});
        is_over_ = true;
        changed_.set();
    }
}

// A worker that was not heard for long, and all of whose shards belong to others now, comes back
// with nothing: what it held of the crawl's limit is free again.
Co<> ClusterFrontier::Worker::bury_dead() {
    std::vector<std::string> dead;
    for (const Heard& heard : terms_.workers()) {
        if (heard.age >= kBuriedAfter) dead.push_back(heard.worker);
    }
    for (const std::string& worker : dead) {
        const std::optional<std::uint64_t> pages = co_await pages_of(*sender_, keys_, worker, true);
        if (!pages) continue;
        co_await sender_->send(bury(keys_.budget(), worker, *pages));
        co_await sender_->send(cluster::leave(keys_.workers(), worker));
    }
}

// The trouble that the cluster tells of ends with any call that succeeds. So if it lasts, no server
// answers at all.
Co<> ClusterFrontier::Worker::watch_on() {
    std::string reason;
    for (;;) {
        co_await aio::sleep(kWatchEvery);
        const std::optional<redis::Trouble>& trouble = cluster_.trouble();
        if (trouble) reason = trouble->reason;
        const Duration wait = sender_->longest_wait();
        trouble_ = wait >= kTroubleToldAfter
                       ? fmt::format("{:.0f} s without success: {}", in_seconds(wait), reason)
                       : "";
        if (trouble && now() - trouble->since >= options_.patience) {
            throw redis::Unreachable(
                fmt::format("no server of the cluster answers for {:.0f} s: {}",
                            in_seconds(options_.patience), trouble->reason));
        }
    }
}

}  // namespace weft::cluster
