#include "frontier/bench/dispatcher.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

// At most this many hosts are loaded from disk in one commit, so that no commit takes long.
constexpr std::size_t kLoadCountMax = 256;

Delivery make_delivery(const Host& host, const Lane& lane, const Pending& pending) {
    const QueuedUrl entry = read_entry(pending.bytes(), pending.referrer());
    Delivery delivery{
        .slot = {host.id, pending.sequence, lane.number},
        .visit = {.candidate = to_candidate(entry, host.name), .attempt = entry.attempt},
        .not_before = entry.not_before,
        .host_ready_at = host.ready_at};
    if (!is_retry_lane(lane.number)) delivery.visit.candidate.priority = lane.number;
    return delivery;
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
    std::ranges::sort(touched_, {}, &Host::id);  // The same crawl gives the same order.
}

void Dispatcher::dispatch(WallTime now, std::vector<Delivery>& deliveries) {
    // Hosts on the bench come first: one that runs out of URLs here makes room for one in line.
    for (Host* host : touched_) {
        host->is_touched = false;
        if (host->is_on_bench) deliver(*host, deliveries);
    }
    for (Host* host : touched_) {
        if (!host->is_on_bench && host->waiting_count() > 0) line_up(*host);
    }
    touched_.clear();
    fill_bench(now, deliveries);
    const WallTime first = first_time();
    const bool is_near = first <= now + kNear;
    is_crowded_ = is_near && !has_room();
    // A crowded bench needs no timer: a host can go onto it only after another has left, and
    // leaving is a commit, which calls dispatch() again.
    wake_at_.reset();
    if (first != WallTime::max() && !is_crowded_) wake_at_ = is_near ? now : first - kNear;
}

void Dispatcher::line_up(Host& host) {
    WEFT_ASSERT(!host.is_on_bench);
    const WallTime time = due_time(host);
    if (host.is_in_line) {
        if (host.line_time == time) return;
        line_.erase({host.line_time, host.id});
    }
    host.is_in_line = true;
    host.line_time = time;
    line_.emplace(host.line_time, host.id);
}

void Dispatcher::fill_bench(WallTime now, std::vector<Delivery>& deliveries) {
    std::size_t load_count = 0;
    while (has_room() && load_count < kLoadCountMax) {
        Host* host = take_first(now + kNear, load_count);
        if (!host) break;
        deliver(*host, deliveries);
    }
}

// Takes the host that is due first out of the line or from disk. Null if no host is due by
// `latest`.
Host* Dispatcher::take_first(WallTime latest, std::size_t& load_count) {
    while (first_time() <= latest) {
        const std::optional<Due> on_disk = ledger_.runs().first_due();
        if (!line_.empty() && (!on_disk || *line_.begin() <= *on_disk)) {
            Host* host = ledger_.find_in_memory(line_.begin()->host_id);
            WEFT_ASSERT(host && host->is_in_line);
            line_.erase(line_.begin());
            host->is_in_line = false;
            return host;
        }
        ledger_.runs().take_first_due();
        Host* known = ledger_.find_in_memory(on_disk->host_id);
        Host* host = known ? known : ledger_.find(on_disk->host_id);
        if (!host) {
            throw StoreError("a host that is due is in none of the files state/frontier/hosts-*",
                             kWayOut);
        }
        // Its due is taken from the run, so the next checkpoint must write a new one, even if the
        // host does not change otherwise.
        host->is_dirty = true;
        // Memory has a newer state than the due on disk.
        if (known && (known->is_on_bench || known->is_in_line)) continue;
        if (!known) ++load_count;
        if (host->waiting_count() > 0) return host;
    }
    return nullptr;
}

// The earliest time of all hosts that are not on the bench.
WallTime Dispatcher::first_time() {
    const std::optional<Due> on_disk = ledger_.runs().first_due();
    const WallTime first = line_.empty() ? WallTime::max() : line_.begin()->time;
    return on_disk ? std::min(first, on_disk->time) : first;
}

void Dispatcher::retire(Host& host) {
    for (Lane& lane : host.lanes) {
        // The URLs stay pending; the next time on the bench they are delivered again.
        lane.pending.leave_bench();
    }
    if (host.is_on_bench) leave_bench(host);
    if (host.waiting_count() > 0) line_up(host);
}

void Dispatcher::deliver(Host& host, std::vector<Delivery>& deliveries) {
    WEFT_ASSERT(!host.is_in_line);
    bool has_pending = false;
    for (Lane& lane : host.lanes) {
        while (lane.pending.size() < window_ && lane.taken < lane.next) ledger_.take(host, lane);
        has_pending |= !lane.pending.empty();
        lane.pending.deliver([&](const Pending& pending) {
            deliveries.push_back(make_delivery(host, lane, pending));
        });
    }
    if (has_pending && !host.is_on_bench) {
        host.is_on_bench = true;
        ++bench_count_;
        WEFT_ASSERT(bench_count_ <= bench_count_max_);
    }
    if (!has_pending && host.is_on_bench) leave_bench(host);
}

void Dispatcher::leave_bench(Host& host) {
    WEFT_ASSERT(bench_count_ > 0);
    host.is_on_bench = false;
    --bench_count_;
    host.has_parts = false;  // Cheap to find again, too large to keep for every host.
    for (Lane& lane : host.lanes) lane.disk.reset();
}

void Dispatcher::after_checkpoint() {
    std::erase_if(line_, [this](const Due& due) { return !ledger_.find_in_memory(due.host_id); });
}

}  // namespace weft::frontier
