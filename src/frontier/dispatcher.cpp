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

void Dispatcher::dispatch(std::vector<Delivery>& deliveries) {
    for (Host* host : touched_) {
        host->is_touched = false;
        if (host->is_on_bench) deliver(*host, deliveries);
    }
    for (Host* host : touched_) {
        if (host->is_on_bench || host->is_in_line || host->waiting_count() == 0) continue;
        host->is_in_line = true;
        line_.push_back(host->id);
    }
    touched_.clear();
    fill_from_line(deliveries);
    if (has_room() && ledger_.cold_count() > 0) fill_from_disk(deliveries);
}

void Dispatcher::fill_from_line(std::vector<Delivery>& deliveries) {
    for (; has_room() && !line_.empty(); line_.pop_front()) {
        Host* host = ledger_.find_in_memory(line_.front());
        host->is_in_line = false;
        deliver(*host, deliveries);
    }
}

void Dispatcher::fill_from_disk(std::vector<Delivery>& deliveries) {
    std::size_t count = 0;
    int round_count = 0;
    while (has_room() && ledger_.cold_count() > 0 && round_count < 2 &&
           (count < kColdCountMax || bench_count_ == 0)) {
        const std::vector<std::uint64_t> ids = ledger_.runs().ids_from(next_cold_id_);
        if (ids.empty()) {
            next_cold_id_ = 0;
            ++round_count;
        }
        for (const std::uint64_t id : ids) {
            if (!has_room()) break;
            next_cold_id_ = id + 1;
            ++count;
            if (ledger_.find_in_memory(id)) continue;
            Host* host = ledger_.find(id);
            if (host->waiting_count() > 0) {
                deliver(*host, deliveries);
            } else {
                ledger_.forget(*host);
            }
        }
    }
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

void Dispatcher::forget_line() {
    std::erase_if(line_, [this](std::uint64_t id) { return !ledger_.find_in_memory(id); });
}

}  // namespace weft::frontier
