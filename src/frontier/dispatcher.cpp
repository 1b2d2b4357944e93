#include "frontier/dispatcher.h"

#include <algorithm>
#include <utility>

namespace weft::frontier {
namespace {

// So many hosts on disk are looked at in one commit, unless the bench is empty.
constexpr std::size_t kColdCountMax = 256;

Delivery make_delivery(const Host& host, const Lane& lane, const Pending& pending) {
    const Entry entry = read_entry(pending.bytes(), pending.referrer());
    Delivery item;
    item.host_ready_at = host.ready_at;
    item.slot = {host.id, pending.sequence, lane.number};
    item.attempt = entry.attempt;
    item.not_before = entry.not_before;
    item.candidate.url = entry.url;
    item.candidate.host = host.name;
    item.candidate.referrer = entry.referrer;
    item.candidate.depth = entry.depth;
    item.candidate.redirects_left = entry.redirects_left;
    if (!is_retry_lane(lane.number)) item.candidate.priority = lane.number;
    return item;
}

}  // namespace

void Dispatcher::touch(Host& host) {
    if (std::exchange(host.is_touched, true)) return;
    touched_.push_back(&host);
}

void Dispatcher::touch_all() {
    ledger_.hosts().for_each([this](Host& host) {
        if (host.waiting_count() > 0) touch(host);
    });
    std::ranges::sort(touched_, {}, &Host::id);  // One crawl, one order.
}

void Dispatcher::dispatch(WallTime now, std::vector<Delivery>& deliveries) {
    for (Host* host : touched_) {
        host->is_touched = false;
        if (host->is_on_bench) deliver(*host, deliveries);
    }
    for (Host* host : touched_) {
        if (!host->is_on_bench && host->waiting_count() > 0) line_up(*host, host->ready_at);
    }
    touched_.clear();
    fill_from_line(now, deliveries);
    if (ledger_.cold_count() > 0 && now >= cold_rest_until_) fill_from_disk(now, deliveries);
    const bool is_line_near = !line_.empty() && line_.begin()->first <= now + kNear;
    is_crowded_ = !has_room() && (is_line_near || ledger_.cold_count() > 0);
    wake_at_ = next_time(now);
}

// When the first host that is not on the bench comes near. If one is near already and there is no
// room, one that leaves the bench makes room, and that is a commit too.
std::optional<WallTime> Dispatcher::next_time(WallTime now) const {
    WallTime first = line_.empty() ? WallTime::max() : line_.begin()->first;
    if (ledger_.cold_count() > 0 && cold_rest_until_ != WallTime::max()) {
        first = std::min(first, cold_rest_until_ + kNear);
    }
    if (first == WallTime::max() || (!has_room() && first - kNear <= now)) return std::nullopt;
    return first - kNear;
}

void Dispatcher::line_up(Host& host, WallTime when) {
    if (host.is_in_line) line_.erase({host.line_time, host.id});
    host.is_in_line = true;
    host.line_time = when;
    line_.emplace(when, host.id);
}

void Dispatcher::fill_from_line(WallTime now, std::vector<Delivery>& deliveries) {
    while (has_room() && !line_.empty() && line_.begin()->first <= now + kNear) {
        Host* host = ledger_.find_in_memory(line_.begin()->second);
        line_.erase(line_.begin());
        host->is_in_line = false;
        deliver(*host, deliveries);
    }
}

// Walks around the hosts on disk, a few at a time; when it has seen all of them and none was near,
// it rests until one is.
void Dispatcher::fill_from_disk(WallTime now, std::vector<Delivery>& deliveries) {
    std::size_t count = 0;
    int round_count = 0;
    while (has_room() && ledger_.cold_count() > 0 && (count < kColdCountMax || bench_count_ == 0)) {
        const std::vector<std::uint64_t> ids = ledger_.runs().ids_from(next_cold_id_);
        if (ids.empty()) {
            next_cold_id_ = 0;
            if (++round_count == 2) {
                cold_rest_until_ = cold_time_ == WallTime::max() ? cold_time_ : cold_time_ - kNear;
                return;
            }
            cold_time_ = WallTime::max();
        }
        for (const std::uint64_t id : ids) {
            if (!has_room()) break;
            next_cold_id_ = id + 1;
            ++count;
            if (!ledger_.find_in_memory(id)) look_at(id, now, deliveries);
        }
    }
}

void Dispatcher::look_at(std::uint64_t cold_id, WallTime now, std::vector<Delivery>& deliveries) {
    Host* host = ledger_.find(cold_id);
    const bool waits = host->waiting_count() > 0;
    if (waits && host->ready_at <= now + kNear) {
        deliver(*host, deliveries);
        return;
    }
    if (waits) cold_time_ = std::min(cold_time_, host->ready_at);
    ledger_.forget(*host);
}

void Dispatcher::retire(Host& host, WallTime until) {
    for (Lane& lane : host.lanes) {
        for (Pending& pending : lane.pending) pending.is_on_bench = false;
    }
    if (std::exchange(host.is_on_bench, false)) --bench_count_;
    if (host.waiting_count() > 0) line_up(host, until);
}

void Dispatcher::deliver(Host& host, std::vector<Delivery>& deliveries) {
    bool has_pending = false;
    for (Lane& lane : host.lanes) {
        while (lane.pending.size() < window_ && lane.taken < lane.next) ledger_.take(host, lane);
        if (lane.disk)
            lane.disk->read.clear();  // Cheap to read again; too much to keep for every host.
        has_pending |= !lane.pending.empty();
        for (Pending& pending : lane.pending) {
            if (std::exchange(pending.is_on_bench, true)) continue;
            deliveries.push_back(make_delivery(host, lane, pending));
        }
    }
    if (has_pending != host.is_on_bench) {
        host.is_on_bench = has_pending;
        bench_count_ += has_pending ? 1 : std::size_t(-1);
    }
}

void Dispatcher::after_checkpoint() {
    std::erase_if(line_,
                  [this](const auto& place) { return !ledger_.find_in_memory(place.second); });
    cold_rest_until_ = {};
}

}  // namespace weft::frontier
