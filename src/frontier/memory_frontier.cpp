#include "frontier/memory_frontier.h"

#include <algorithm>

#include "aio/loop.h"
#include "aio/wait_until.h"
#include "base/assert.h"

namespace weft::frontier {

using aio::Co;

Co<std::size_t> MemoryFrontier::push(std::vector<Candidate> candidates) {
    co_return add(std::move(candidates));
}

std::size_t MemoryFrontier::add(std::vector<Candidate> candidates) {
    std::size_t new_count = 0;
    for (Candidate& candidate : candidates) {
        if (!seen_.insert(candidate.key).second) continue;
        ++new_count;
        ++waiting_count_;
        const std::string name = candidate.host;
        Host& host = hosts_[name];
        take_off_bench(name, host);
        host.queue.push_back({std::move(candidate)});
        put_on_bench(name, host);
    }
    if (new_count > 0) changed_.set();
    return new_count;
}

Co<std::optional<Visit>> MemoryFrontier::next() {
    const aio::EventLoop& loop = aio::EventLoop::running();
    for (;;) {
        if (closed_ || (waiting_count_ == 0 && lent_.empty())) co_return std::nullopt;
        const TimePoint now = loop.time();
        std::optional<TimePoint> wake_at;
        if (!bench_.empty()) {
            const auto [when, name] = *bench_.begin();
            if (when <= now) co_return lend(name, hosts_.at(name), now);
            wake_at = when;
        }
        changed_.clear();
        co_await aio::wait_until(changed_, wake_at);
    }
}

Co<std::size_t> MemoryFrontier::complete(Completion completion) {
    const auto found = lent_.find(completion.visit_id);
    WEFT_ASSERT(found != lent_.end());
    Visit visit = std::move(found->second);
    lent_.erase(found);

    const std::string name = visit.candidate.host;
    Host& host = hosts_.at(name);
    take_off_bench(name, host);
    --host.lent_count;
    host.ready_at = std::max(host.ready_at, completion.host_ready_at);
    if (completion.retry_at) {
        ++waiting_count_;
        host.retries.emplace(*completion.retry_at,
                             Waiting{std::move(visit.candidate), visit.attempt + 1});
    } else {
        ++done_count_;
    }
    put_on_bench(name, host);
    const std::size_t new_count = add(std::move(completion.found));
    changed_.set();
    co_return new_count;
}

void MemoryFrontier::close() {
    closed_ = true;
    changed_.set();
}

Counts MemoryFrontier::counts() const {
    return {
        .seen = seen_.size(), .waiting = waiting_count_, .lent = lent_.size(), .done = done_count_};
}

bool MemoryFrontier::can_lend(const Host& host) const {
    return host.lent_count < max_per_host_ && (!host.queue.empty() || !host.retries.empty());
}

TimePoint MemoryFrontier::lend_time(const Host& host) {
    const TimePoint first = host.queue.empty() ? host.retries.begin()->first : TimePoint::min();
    return std::max(first, host.ready_at);
}

void MemoryFrontier::take_off_bench(const std::string& name, const Host& host) {
    if (can_lend(host)) bench_.erase({lend_time(host), name});
}

void MemoryFrontier::put_on_bench(const std::string& name, const Host& host) {
    if (can_lend(host)) bench_.emplace(lend_time(host), name);
}

Visit MemoryFrontier::lend(const std::string& name, Host& host, TimePoint now) {
    take_off_bench(name, host);
    Waiting waiting;
    if (!host.retries.empty() && host.retries.begin()->first <= now) {
        waiting = std::move(host.retries.begin()->second);
        host.retries.erase(host.retries.begin());
    } else {
        waiting = std::move(host.queue.front());
        host.queue.pop_front();
    }
    ++host.lent_count;
    --waiting_count_;
    put_on_bench(name, host);
    const Visit visit{++last_id_, std::move(waiting.candidate), waiting.attempt};
    lent_.emplace(visit.id, visit);
    return visit;
}

}  // namespace weft::frontier
