#include "cluster/worker/held_hosts.h"

#include <algorithm>

#include "base/assert.h"
#include "cluster/entry.h"
#include "cluster/limits.h"
#include "frontier/bench/queued_url.h"
#include "frontier/store/store_error.h"

namespace weft::cluster {

namespace {

// A host with fewer URLs here is given more.
std::size_t hunger_of(std::size_t max_per_host) {
    return std::max<std::size_t>(2, max_per_host + 1);
}

constexpr Duration kAskPause = 1s;

std::uint8_t class_of_place(const Place& place) {
    const auto* queued = std::get_if<QueuePlace>(&place);
    return queued ? queued->class_number : 0;
}

}  // namespace

void HeldHosts::begin(std::uint16_t shard, std::uint64_t term,
                      std::shared_ptr<const frontier::Lease> lease) {
    end(shard);
    shards_[shard] = Shard{.term = term, .lease = std::move(lease)};
}

void HeldHosts::end(std::uint16_t shard) {
    const auto found = shards_.find(shard);
    if (found == shards_.end()) return;
    for (const auto& [name, id] : found->second.hosts) remove(id);
    shards_.erase(found);
}

// Its loans stay until they end, without a host.
void HeldHosts::remove(std::uint64_t id) {
    bench_.forget(id);
    const auto first = waiting_.lower_bound({id, 0});
    const auto last = waiting_.lower_bound({id + 1, 0});
    waiting_.erase(first, last);
    hosts_.erase(id);
}

HeldHosts::Host* HeldHosts::find(std::uint16_t shard, const std::string& name) {
    const auto of = shards_.find(shard);
    if (of == shards_.end()) return nullptr;
    const auto found = of->second.hosts.find(name);
    return found == of->second.hosts.end() ? nullptr : &hosts_.at(found->second);
}

void HeldHosts::take_in(std::uint16_t shard, const HostEntries& entries, TimePoint now) {
    const auto of = shards_.find(shard);
    if (of == shards_.end()) return;
    const auto [found, is_new] = of->second.hosts.try_emplace(entries.host, last_host_id_ + 1);
    if (is_new) ++last_host_id_;
    const std::uint64_t id = found->second;
    Host& host = hosts_[id];
    if (is_new) {
        host.shard = shard;
        host.name = entries.host;
        host.ready = saturating_add(now, entries.wait);
    }
    host.is_asked = false;
    host.waiting = entries.admitted - std::min(entries.done, entries.admitted);
    const std::size_t count_before = host.here_count;
    for (const WaitingUrl& url : entries.urls) put(id, host, url, now);
    // What waits is behind a URL that is lent, or is tried again later than those that are here.
    if (host.here_count == count_before) host.ask_after = saturating_add(now, kAskPause);
    if (host.waiting == 0 && host.here_count == 0) {
        of->second.hosts.erase(host.name);
        remove(id);
    }
}

void HeldHosts::put(std::uint64_t id, Host& host, const WaitingUrl& url, TimePoint now) {
    if (const auto* queued = std::get_if<QueuePlace>(&url.place)) {
        std::uint64_t& next = host.next[queued->class_number & 3];
        if (queued->number < next) return;  // It is here already.
        next = queued->number + 1;
    } else if (host.retries.contains(url.entry)) {
        return;
    }
    const Shard& shard = shards_.at(host.shard);
    const HeldLoan loan{.host_id = id,
                        .shard = host.shard,
                        .term = shard.term,
                        .host = host.name,
                        .place = url.place,
                        .entry = url.entry};
    ++host.here_count;
    deliver(id, host, loan, saturating_add(now, url.not_before));
    if (std::holds_alternative<RetryPlace>(url.place)) {
        host.retries[url.entry] = last_sequence_;
    }
}

void HeldHosts::deliver(std::uint64_t id, const Host& host, const HeldLoan& loan,
                        TimePoint not_before) {
    auto visit = decode_entry(loan.entry, host.name, class_of_place(loan.place));
    if (!visit) throw frontier::StoreError(std::string(describe(visit.error())));
    visit->lease = shards_.at(host.shard).lease;
    const bool is_retry = std::holds_alternative<RetryPlace>(loan.place);
    const std::uint8_t lane =
        is_retry ? frontier::retry_lane(std::max(visit->attempt, 2U)) : visit->candidate.priority;
    waiting_.emplace(std::pair(id, ++last_sequence_), loan);
    bench_.add({.slot = {.host_id = id, .sequence = last_sequence_, .lane = lane},
                .visit = *std::move(visit),
                .not_before = is_retry ? bench_time(not_before) : WallTime{},
                .host_ready_at = bench_time(host.ready)});
}

std::vector<TakeFrom> HeldHosts::hungry(std::uint16_t shard, TimePoint now) const {
    std::vector<TakeFrom> wanted;
    const auto of = shards_.find(shard);
    if (of == shards_.end()) return wanted;
    for (const auto& [name, id] : of->second.hosts) {
        const Host& host = hosts_.at(id);
        const bool has_more = host.is_asked || host.waiting > host.here_count;
        if (!has_more || host.here_count >= hunger_of(max_per_host_)) continue;
        if (now < host.ask_after || wanted.size() == kHostsPerCallMax) continue;
        TakeFrom from{.host = name};
        std::ranges::copy(host.next, from.first);
        wanted.push_back(std::move(from));
    }
    return wanted;
}

std::optional<TimePoint> HeldHosts::next_time() const {
    const std::optional<WallTime> time = bench_.next_time();
    if (!time || *time == WallTime::max()) return std::nullopt;
    return TimePoint(time->time_since_epoch());
}

frontier::Visit HeldHosts::lend(TimePoint now) {
    frontier::Visit visit = bench_.lend(bench_time(now));
    const frontier::Slot slot = bench_.slot_of(visit.id);
    const auto found = waiting_.find({slot.host_id, slot.sequence});
    WEFT_ASSERT(found != waiting_.end());
    lent_.emplace(visit.id, std::move(found->second));
    waiting_.erase(found);
    return visit;
}

void HeldHosts::give_back(std::uint64_t visit_id, TimePoint when) {
    const auto found = lent_.find(visit_id);
    WEFT_ASSERT(found != lent_.end());
    const HeldLoan loan = std::move(found->second);
    lent_.erase(found);
    bench_.give_back(visit_id, bench_time(when));
    const auto host = hosts_.find(loan.host_id);
    if (host == hosts_.end()) return;
    host->second.ready = std::max(host->second.ready, when);
    deliver(loan.host_id, host->second, loan, TimePoint::min());
    if (const auto* retry = std::get_if<RetryPlace>(&loan.place)) {
        host->second.retries[retry->entry] = last_sequence_;
    }
}

void HeldHosts::complete(std::uint64_t visit_id, TimePoint ready,
                         std::optional<std::uint64_t> waiting) {
    const auto found = lent_.find(visit_id);
    WEFT_ASSERT(found != lent_.end());
    const HeldLoan loan = std::move(found->second);
    lent_.erase(found);
    bench_.give_back(visit_id, bench_time(ready));
    const auto entry = hosts_.find(loan.host_id);
    if (entry == hosts_.end()) return;
    Host& host = entry->second;
    --host.here_count;
    host.ready = std::max(host.ready, ready);
    if (const auto* retry = std::get_if<RetryPlace>(&loan.place)) host.retries.erase(retry->entry);
    if (waiting) host.waiting = *waiting;
    host.is_asked |= !waiting;
    host.ask_after = TimePoint::min();
    if (host.waiting > 0 || host.here_count > 0 || host.is_asked) return;
    shards_.at(host.shard).hosts.erase(host.name);
    remove(loan.host_id);
}

void HeldHosts::note_more(std::uint16_t shard, const std::string& name) {
    Host* host = find(shard, name);
    if (!host) return;
    host->is_asked = true;
    host->ask_after = TimePoint::min();
}

void HeldHosts::set_ready(std::uint16_t shard, const std::string& name, TimePoint ready) {
    Host* host = find(shard, name);
    if (!host) return;
    host->ready = ready;
    bench_.set_ready(shards_.at(shard).hosts.at(name), bench_time(ready));
}

std::size_t HeldHosts::drop(std::uint16_t shard, const std::string& name) {
    if (find(shard, name)) {
        const std::uint64_t id = shards_.at(shard).hosts.at(name);
        shards_.at(shard).hosts.erase(name);
        remove(id);
    }
    const auto is_its = [&](const auto& each) {
        return each.second.shard == shard && each.second.host == name;
    };
    return static_cast<std::size_t>(std::ranges::count_if(lent_, is_its));
}

std::map<std::uint16_t, std::vector<Resting>> HeldHosts::retire(TimePoint far, TimePoint now) {
    std::map<std::uint16_t, std::vector<Resting>> resting;
    for (const std::uint64_t id : bench_.retire(bench_time(far))) {
        const auto found = hosts_.find(id);
        if (found == hosts_.end()) continue;
        const Host& host = found->second;
        const Duration wait = std::max(host.ready - now, Duration::zero());
        resting[host.shard].push_back(
            {.host = host.name, .ready_in = std::chrono::ceil<Milliseconds>(wait)});
        shards_.at(host.shard).hosts.erase(host.name);
        remove(id);
    }
    return resting;
}

std::size_t HeldHosts::lent_count(std::uint16_t shard) const {
    const auto is_its = [&](const auto& each) { return each.second.shard == shard; };
    return static_cast<std::size_t>(std::ranges::count_if(lent_, is_its));
}

}  // namespace weft::cluster
