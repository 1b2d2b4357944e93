#include <algorithm>

#include "base/assert.h"
#include "frontier/records.h"
#include "frontier/store.h"

// How the store does what it is asked: each request becomes a record of the frame under way and a
// change of the ledger.
namespace weft::frontier {
namespace {

constexpr std::size_t kCacheLine = 64;

void prefetch(const void* object, std::size_t size) {
    const auto* bytes = static_cast<const char*>(object);
    for (std::size_t i = 0; i < size; i += kCacheLine) __builtin_prefetch(bytes + i);
}

std::uint8_t lane_of(const Candidate& candidate) {
    return std::min(candidate.priority, kPriorityMax);
}

}  // namespace

Answer Store::handle(PushRequest& request) {
    put_byte(frame_.payload(), static_cast<std::uint8_t>(RecordKind::push));
    return {.new_count = add_urls(request.candidates, "", "")};
}

Answer Store::handle(CompleteRequest& request) {
    Host* host = ledger_.find(request.slot.host_id);
    WEFT_ASSERT(host != nullptr);
    Completion& completion = request.completion;
    if (completion.keep) {
        Kept kept = completion.keep();
        completion.outcome = std::move(kept.outcome);
        completion.archived = std::move(kept.archived);
        completion.keep = nullptr;
    }
    const Ending ending{.lane = request.slot.lane,
                        .sequence = request.slot.sequence,
                        .retry_at = request.retry_at,
                        .ready_at = request.ready_at};
    put_complete(frame_.payload(), {.host = host->name,
                                    .ending = ending,
                                    .outcome = completion.outcome,
                                    .archived = completion.archived,
                                    .side_sizes = completion.side_sizes});
    const std::string url = ledger_.end(*host, ending);
    if (completion.archived) ledger_.note_archived(*completion.archived);
    for (const auto& [name, size] : completion.side_sizes) ledger_.note_side_size(name, size);
    dispatcher_.touch(*host);
    return {.new_count = add_urls(request.completion.found, host->name, url)};
}

Answer Store::handle(AskRequest& request) {
    const Host* host = ledger_.find(ledger_.host_id(request.host));
    if (!host) return {};
    return {.host = {.admitted = host->admitted_count, .done = host->done_count}};
}

Answer Store::handle(ChangeRequest& request) {
    const ChangeRecord record{.host = request.host,
                              .ready_at = request.ready_at,
                              .drop = request.drop,
                              .lent = std::move(request.lent)};
    put_change(frame_.payload(), record);
    dispatcher_.touch(apply(record, ledger_));
    return {};
}

Answer Store::handle(RetireRequest& request) {
    if (Host* host = ledger_.find_in_memory(request.host_id)) {
        dispatcher_.retire(*host);
    }
    return {};
}

std::size_t Store::add_urls(std::vector<Candidate>& candidates, std::string_view host,
                            std::string_view page) {
    SeenSet& seen = ledger_.seen();
    prints_.clear();
    for (const Candidate& candidate : candidates) {
        prints_.push_back(ledger_.fingerprint(candidate.key));
        seen.prefetch(prints_.back());
    }
    for (const Fingerprint& print : prints_) seen.prefetch_place(print);
    fresh_.clear();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (seen.contains(prints_[i])) continue;
        fresh_.push_back({.index = i, .host_id = ledger_.host_id(candidates[i].host)});
        ledger_.hosts().prefetch(fresh_.back().host_id);
    }
    warm_hosts(candidates);
    UrlListWriter writer(frame_.payload(), host, page);
    std::size_t new_count = 0;
    for (const auto& [i, host_id, known] : fresh_) {
        const Candidate& candidate = candidates[i];
        Host& owner = known ? *known : ledger_.host(candidate.host, host_id);
        if (!admits(owner) || !seen.insert(prints_[i])) continue;
        entry_.clear();
        put_entry(entry_, {.url = candidate.url,
                           .depth = candidate.depth,
                           .redirects_left = candidate.redirects_left});
        const bool is_from_page = candidate.referrer.empty();
        const NewUrl url{.print = prints_[i],
                         .host = candidate.host,
                         .lane = lane_of(candidate),
                         .entry = entry_,
                         .referrer = is_from_page ? page : std::string_view(candidate.referrer)};
        writer.add(url);
        ledger_.add(owner, url);
        dispatcher_.touch(owner);
        ++new_count;
    }
    writer.end();
    return new_count;
}

// Of ten million URLs hardly a host is in the cache: what is wanted of each is asked for before any
// is used, one step of the way at a time. That is a fifth of what a page takes.
void Store::warm_hosts(const std::vector<Candidate>& candidates) {
    for (Fresh& fresh : fresh_) {
        fresh.host = ledger_.find_in_memory(fresh.host_id);
        if (fresh.host) prefetch(fresh.host, sizeof(Host));
    }
    for (const Fresh& fresh : fresh_) {
        if (fresh.host && !fresh.host->lanes.empty()) {
            prefetch(fresh.host->lanes.data(), sizeof(Lane));
        }
    }
    for (const Fresh& fresh : fresh_) {
        if (!fresh.host) continue;
        const Lane* lane = fresh.host->find_lane(lane_of(candidates[fresh.index]));
        if (lane) prefetch(lane->tail_last, sizeof(TailEntry));
    }
}

bool Store::admits(const Host& host) {
    const bool is_full =
        options_.urls_per_host_max && host.admitted_count >= *options_.urls_per_host_max;
    if (!is_full && !host.is_dropped) return true;
    ++over_budget_count_;
    return false;
}

}  // namespace weft::frontier
