#include "frontier/bench/workbench.h"

#include <algorithm>

#include "base/assert.h"

namespace weft::frontier {

void Workbench::add(Delivery delivery) {
    const std::uint64_t host_id = delivery.slot.host_id;
    if (!dropped_.empty() && dropped_.contains(host_id)) return;
    const auto [found, is_new] = hosts_.try_emplace(host_id);
    BenchHost& host = found->second;
    if (is_new) {
        host.id = host_id;
        host.serial = ++last_serial_;
        host.ready_at = delivery.host_ready_at;
    }
    insert(host, std::move(delivery));
    place(host);
}

void Workbench::insert(BenchHost& host, Delivery delivery) {
    const std::uint8_t number = delivery.slot.lane;
    auto lane = std::ranges::lower_bound(host.lanes, number, {}, &BenchLane::number);
    if (lane == host.lanes.end() || lane->number != number) {
        lane = host.lanes.insert(lane, BenchLane{number, {}});
    }
    // The store delivers in order of sequence. Retry times come only nearly in order, so they are
    // sorted in.
    std::deque<Delivery>& waiting = lane->urls;
    const auto place =
        is_retry_lane(number)
            ? std::ranges::upper_bound(waiting, delivery.not_before, {}, &Delivery::not_before)
            : waiting.end();
    waiting.insert(place, std::move(delivery));
}

std::optional<WallTime> Workbench::next_time() const {
    if (bench_.empty()) return std::nullopt;
    return std::get<WallTime>(*bench_.begin());
}

Visit Workbench::lend(WallTime now) {
    WEFT_ASSERT(!bench_.empty() && next_time() <= now);
    BenchHost& host = *std::get<BenchHost*>(*bench_.begin());
    Delivery lent = take_next(host, now);
    ++host.lent_count;
    place(host);
    lent.visit.id = ++last_visit_id_;
    lent_.emplace(lent.visit.id, Loan{&host, lent.slot});
    return std::move(lent.visit);
}

// Takes the due retry that has waited longest. If no retry is due, the first URL of the first lane,
// which has the best priority.
Delivery Workbench::take_next(BenchHost& host, WallTime now) {
    auto best = host.lanes.begin();
    WallTime best_time = WallTime::max();
    for (auto lane = host.lanes.begin(); lane != host.lanes.end(); ++lane) {
        if (!is_retry_lane(lane->number)) continue;
        const WallTime time = lane->urls.front().not_before;
        if (time > now || time >= best_time) continue;
        best = lane;
        best_time = time;
    }
    Delivery first = std::move(best->urls.front());
    best->urls.pop_front();
    if (best->urls.empty()) host.lanes.erase(best);
    return first;
}

Slot Workbench::slot_of(std::uint64_t visit_id) const {
    const auto found = lent_.find(visit_id);
    WEFT_ASSERT(found != lent_.end());
    return found->second.slot;
}

void Workbench::give_back(std::uint64_t visit_id, WallTime host_ready_at) {
    const auto found = lent_.find(visit_id);
    WEFT_ASSERT(found != lent_.end());
    BenchHost& host = *found->second.host;
    lent_.erase(found);
    WEFT_ASSERT(host.lent_count > 0);
    --host.lent_count;
    // With several loans at once, the visits may end in any order.
    host.ready_at = std::max(host.ready_at, host_ready_at);
    if (host.lent_count == 0 && host.lanes.empty()) {
        WEFT_ASSERT(!host.bench_time);
        hosts_.erase(host.id);
    } else {
        place(host);
    }
}

std::vector<std::uint64_t> Workbench::retire(WallTime far) {
    std::vector<std::uint64_t> retired;
    // From the host that can lend last.
    for (auto last = bench_.end(); last != bench_.begin() && retired.size() < kRetireCount;) {
        --last;
        const auto [time, serial, host] = *last;
        if (time <= far) break;
        if (host->lent_count > 0) continue;
        retired.push_back(host->id);
        last = bench_.erase(last);
        hosts_.erase(host->id);
    }
    return retired;
}

void Workbench::set_ready(std::uint64_t host_id, WallTime ready_at) {
    const auto found = hosts_.find(host_id);
    if (found == hosts_.end()) return;
    found->second.ready_at = ready_at;
    place(found->second);
}

std::vector<Slot> Workbench::drop(std::uint64_t host_id) {
    dropped_.insert(host_id);
    std::vector<Slot> lent;
    const auto found = hosts_.find(host_id);
    if (found == hosts_.end()) return lent;
    BenchHost& host = found->second;
    host.lanes.clear();
    place(host);
    // A walk over all loans: dropping a host is rare.
    for (const auto& [id, loan] : lent_) {
        if (loan.host == &host) lent.push_back(loan.slot);
    }
    if (lent.empty()) hosts_.erase(found);
    return lent;
}

void Workbench::forget(std::uint64_t host_id) {
    const auto found = hosts_.find(host_id);
    if (found == hosts_.end()) return;
    BenchHost& host = found->second;
    host.lanes.clear();
    place(host);
    if (host.lent_count == 0) hosts_.erase(found);
}

WallTime Workbench::lend_time(const BenchHost& host) {
    // The first lane is no retry lane, so a URL waits only for its host.
    if (!is_retry_lane(host.lanes.front().number)) return host.ready_at;
    WallTime first = WallTime::max();
    for (const BenchLane& lane : host.lanes) first = std::min(first, lane.urls.front().not_before);
    return std::max(first, host.ready_at);
}

// Puts the host at its place on the bench, or takes it off. Most changes leave its place as it is.
void Workbench::place(BenchHost& host) {
    const std::optional<WallTime> time =
        can_lend(host) ? std::optional(lend_time(host)) : std::nullopt;
    WEFT_ASSERT(host.lent_count <= max_per_host_);
    if (time == host.bench_time) return;
    const std::size_t count_before = bench_.size() + (time ? 1 : 0);
    if (host.bench_time) bench_.erase({*host.bench_time, host.serial, &host});
    if (time) bench_.emplace(*time, host.serial, &host);
    // It was on the bench exactly if it had a bench time.
    WEFT_ASSERT(bench_.size() + (host.bench_time ? 1 : 0) == count_before);
    host.bench_time = time;
}

}  // namespace weft::frontier
