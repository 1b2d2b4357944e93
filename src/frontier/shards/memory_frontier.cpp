#include "frontier/shards/memory_frontier.h"

#include <algorithm>

#include "aio/loop/loop.h"
#include "aio/sync/wait_until.h"
#include "base/assert.h"

namespace weft::frontier {

using aio::Co;

namespace {

// The overhead of one URL: its entries in the queue and in the set of seen keys.
constexpr std::size_t kBytesPerUrl = 320;

}  // namespace

Co<std::size_t> MemoryFrontier::push(std::vector<Candidate> candidates) {
    co_return add(std::move(candidates), "");
}

std::size_t MemoryFrontier::add(std::vector<Candidate> candidates, const std::string& referrer) {
    std::size_t new_count = 0;
    for (Candidate& candidate : candidates) {
        if (!admits(candidate)) continue;
        ++new_count;
        ++waiting_count_;
        if (candidate.referrer.empty()) candidate.referrer = referrer;
        candidate.key.clear();
        const std::string name = candidate.host;
        HostQueue& host = hosts_[name];
        ++host.counts.admitted;
        // The host's key on the bench depends on its queue. So it is taken off before any change
        // and put back after it.
        take_off_bench(name, host);
        const std::uint8_t priority = std::min(candidate.priority, kPriorityMax);
        host.queues[priority].push_back({.candidate = std::move(candidate)});
        put_on_bench(name, host);
    }
    if (new_count > 0) changed_.set();
    check_counts();
    return new_count;
}

bool MemoryFrontier::admits(const Candidate& candidate) {
    if (seen_.contains(candidate.key)) return false;
    // Once full, it stays full: memory is never freed, as seen keys are kept.
    if (is_full_ || bytes_ >= options_.bytes_max) {
        is_full_ = true;
        return false;
    }
    const HostQueue& host = hosts_[candidate.host];
    const bool is_spent =
        options_.urls_per_host_max && host.counts.admitted >= *options_.urls_per_host_max;
    if (is_spent || host.is_dropped) {
        ++over_budget_count_;
        return false;
    }
    seen_.insert(candidate.key);
    bytes_ += kBytesPerUrl + candidate.key.size() + candidate.url.size() + candidate.host.size() +
              candidate.referrer.size();
    return true;
}

Co<std::optional<Visit>> MemoryFrontier::next() {
    const aio::EventLoop& loop = aio::EventLoop::running();
    for (;;) {
        // A lent URL may bring new ones, so the crawl is over only if none is lent.
        if (closed_ || (waiting_count_ == 0 && lent_.empty())) co_return std::nullopt;
        const TimePoint now = loop.time();
        std::optional<TimePoint> wake_at;
        if (!bench_.empty()) {
            const auto [when, name] = *bench_.begin();
            if (when <= now) co_return lend(name, hosts_.at(name), now);
            // A paused host has no time; change_host() wakes this task.
            if (when != TimePoint::max()) wake_at = when;
        }
        changed_.clear();
        co_await aio::wait_until(changed_, wake_at);
    }
}

Co<Completed> MemoryFrontier::complete(Completion completion) {
    if (completion.page) completion.page->write(completion);
    const auto found = lent_.find(completion.visit_id);
    WEFT_ASSERT(found != lent_.end());
    Visit visit = std::move(found->second);
    lent_.erase(found);

    const std::string name = visit.candidate.host;
    const std::string url = visit.candidate.url;
    HostQueue& host = hosts_.at(name);
    take_off_bench(name, host);
    --host.lent_count;
    // With several loans at once, the visits may end in any order.
    host.ready_at = std::max(host.ready_at, completion.host_ready_at);
    if (completion.retry_at && !host.is_dropped) {
        ++waiting_count_;
        if (!completion.is_unbegun) ++visit.attempt;
        host.retries.emplace(*completion.retry_at, std::move(visit));
    } else {
        ++done_count_;
        if (completion.frees_place) {
            WEFT_ASSERT(host.counts.admitted > 0);
            --host.counts.admitted;
        } else {
            ++host.counts.done;
        }
    }
    put_on_bench(name, host);
    const std::size_t new_count = add(std::move(completion.found), url);
    changed_.set();
    co_return Completed{.new_count = new_count};
}

Co<HostCounts> MemoryFrontier::host_counts(std::string host) {
    const auto found = hosts_.find(host);
    co_return found == hosts_.end() ? HostCounts{} : found->second.counts;
}

Co<> MemoryFrontier::change_host(HostChange change) {
    HostQueue& host = hosts_[change.host];
    take_off_bench(change.host, host);
    if (change.ready_at) host.ready_at = *change.ready_at;
    if (change.drop) drop(host);
    put_on_bench(change.host, host);
    changed_.set();
    co_return;
}

void MemoryFrontier::drop(HostQueue& host) {
    std::uint64_t count = host.retries.size();
    for (const auto& [priority, queue] : host.queues) count += queue.size();
    host.queues.clear();
    host.retries.clear();
    host.is_dropped = true;
    host.counts.done += count;
    waiting_count_ -= count;
    done_count_ += count;
    check_counts();
}

void MemoryFrontier::close() {
    closed_ = true;
    changed_.set();
}

Counts MemoryFrontier::counts() const {
    return {.seen = seen_.size(),
            .waiting = waiting_count_,
            .lent = lent_.size(),
            .done = done_count_,
            .over_budget = over_budget_count_};
}

bool MemoryFrontier::can_lend(const HostQueue& host) const {
    const bool has_url = !host.queues.empty() || !host.retries.empty();
    return host.lent_count < options_.max_per_host && has_url;
}

TimePoint MemoryFrontier::lend_time(const HostQueue& host) {
    const TimePoint first = host.queues.empty() ? host.retries.begin()->first : TimePoint::min();
    return std::max(first, host.ready_at);
}

void MemoryFrontier::take_off_bench(const std::string& name, const HostQueue& host) {
    if (!can_lend(host)) return;
    const std::size_t count = bench_.erase({lend_time(host), name});
    WEFT_ASSERT(count == 1);
}

void MemoryFrontier::put_on_bench(const std::string& name, const HostQueue& host) {
    if (!can_lend(host)) return;
    const bool was_off = bench_.emplace(lend_time(host), name).second;
    WEFT_ASSERT(was_off);
}

void MemoryFrontier::check_counts() const {
    WEFT_ASSERT(seen_.size() == waiting_count_ + lent_.size() + done_count_);
}

Visit MemoryFrontier::take_next(HostQueue& host, TimePoint now) {
    const auto retry = host.retries.begin();
    if (retry != host.retries.end() && retry->first <= now) {
        Visit first = std::move(retry->second);
        host.retries.erase(retry);
        return first;
    }
    const auto best = host.queues.begin();
    Visit first = std::move(best->second.front());
    best->second.pop_front();
    if (best->second.empty()) host.queues.erase(best);
    return first;
}

Visit MemoryFrontier::lend(const std::string& name, HostQueue& host, TimePoint now) {
    take_off_bench(name, host);
    Visit visit = take_next(host, now);
    visit.id = ++last_id_;
    ++host.lent_count;
    --waiting_count_;
    put_on_bench(name, host);
    lent_.emplace(visit.id, visit);
    check_counts();
    return visit;
}

}  // namespace weft::frontier
