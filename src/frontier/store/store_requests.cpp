#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "frontier/store/store.h"

// How the store handles requests: each becomes a record of the current frame and a change of the
// ledger.
namespace weft::frontier {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kPendingPrefetched = 16;  // A host has few, unless its crawl is rebuilt.

void prefetch(const void* object, std::size_t size) {
    const auto* bytes = static_cast<const char*>(object);
    for (std::size_t i = 0; i < size; i += kCacheLine) __builtin_prefetch(bytes + i);
}

std::uint8_t lane_of(const Candidate& candidate) {
    return std::min(candidate.priority, kPriorityMax);
}

std::span<const Candidate> candidates_of(const Request& request) {
    if (const auto* pushed = std::get_if<std::vector<Candidate>>(&request)) return *pushed;
    if (const auto* complete = std::get_if<CompleteRequest>(&request)) {
        return complete->completion.found;
    }
    return {};
}

}  // namespace

Answer Store::handle(std::vector<Candidate>& request, const Prospect& prospect) {
    put_byte(frame_.payload(), static_cast<std::uint8_t>(RecordKind::push));
    return {.new_count = add_urls(request, prospect, "", "")};
}

Answer Store::handle(CompleteRequest& request, const Prospect& prospect) {
    Host* host = ledger_.find(request.ending.slot.host_id);
    WEFT_ASSERT(host != nullptr);
    Completion& completion = request.completion;
    if (completion.page) std::exchange(completion.page, nullptr)->write(completion);
    put_complete(frame_.payload(), host->name, request.ending, completion);
    // The same order as in replay_frame(): first the end of the visit, then its links.
    const std::string url = ledger_.end(*host, request.ending);
    if (completion.archived) ledger_.note_archived(*completion.archived);
    for (const FileSize& side : completion.sides) ledger_.note_side(side.file, side.size);
    dispatcher_.touch(*host);
    return {.new_count = add_urls(completion.found, prospect, host->name, url)};
}

Answer Store::handle(std::string& host_name, const Prospect&) {
    const Host* host = ledger_.find(ledger_.host_id(host_name));
    if (!host) return {};
    return {.host = {.admitted = host->admitted_count, .done = host->done_count}};
}

Answer Store::handle(ChangeRecord& request, const Prospect&) {
    put_change(frame_.payload(), request);
    dispatcher_.touch(apply(request, ledger_));
    return {};
}

// Writes no record: the log does not know which hosts are on the bench.
Answer Store::handle(RetireRequest& request, const Prospect&) {
    if (Host* host = ledger_.find_in_memory(request.host_id)) {
        dispatcher_.retire(*host);
    }
    return {};
}

// With ten million URLs known, little of what a page needs is in the processor's cache. So the
// memory is prefetched in stages, for several pages at once: while one load is under way, the
// others are started.
void Store::prepare(std::span<Request> requests) {
    WEFT_ASSERT(requests.size() <= prospects_.size());
    SeenSet& seen = ledger_.seen();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Prospect& prospect = prospects_[i];
        prospect.prints.clear();
        prospect.fresh.clear();
        for (const Candidate& candidate : candidates_of(requests[i])) {
            prospect.prints.push_back(ledger_.fingerprint(candidate.key));
            seen.prefetch(prospect.prints.back());
        }
    }
    const std::span<Prospect> prospects = std::span(prospects_).first(requests.size());
    for (const Prospect& prospect : prospects) {
        for (const Fingerprint& print : prospect.prints) seen.prefetch_place(print);
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::span<const Candidate> candidates = candidates_of(requests[i]);
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            if (seen.contains(prospects[i].prints[k])) continue;
            const std::uint64_t host_id = ledger_.host_id(candidates[k].host);
            ledger_.hosts().prefetch(host_id);
            prospects[i].fresh.push_back(
                {.index = k, .host_id = host_id, .lane = lane_of(candidates[k])});
        }
    }
    warm_hosts(prospects);
}

// Host, then its lanes, then the lane's entries: each stage needs the address that the stage before
// has loaded.
void Store::warm_hosts(std::span<Prospect> prospects) {
    const auto each_fresh = [prospects](auto visit) {
        for (Prospect& prospect : prospects) {
            for (Fresh& fresh : prospect.fresh) visit(fresh);
        }
    };
    each_fresh([this](Fresh& fresh) {
        fresh.host = ledger_.find_in_memory(fresh.host_id);
        if (fresh.host) prefetch(fresh.host, sizeof(Host));
    });
    each_fresh([](const Fresh& fresh) {
        if (!fresh.host || fresh.host->lanes.empty()) return;
        prefetch(fresh.host->lanes.data(), sizeof(Lane));
    });
    each_fresh([](const Fresh& fresh) {
        const Lane* lane = fresh.host ? fresh.host->find_lane(fresh.lane) : nullptr;
        if (!lane) return;
        prefetch(lane->tail_last, sizeof(TailEntry));
        const auto pending = lane->pending.front(kPendingPrefetched);
        prefetch(pending.data(), pending.size_bytes());
    });
}

// A URL that prepare() found to be new may be known by now: an earlier request, or an earlier link
// of this one, may have brought it. So insert() decides.
std::size_t Store::add_urls(const std::vector<Candidate>& candidates, const Prospect& prospect,
                            std::string_view host, std::string_view page) {
    UrlListWriter writer(frame_.payload(), host, page);
    std::size_t new_count = 0;
    for (const Fresh& fresh : prospect.fresh) {
        const Candidate& candidate = candidates[fresh.index];
        const Fingerprint& print = prospect.prints[fresh.index];
        Host& owner = fresh.host ? *fresh.host : ledger_.host(candidate.host, fresh.host_id);
        if (!admits(owner, print) || !ledger_.seen().insert(print)) continue;
        entry_.clear();
        put_entry(entry_,
                  {.url = candidate.url, .depth = candidate.depth, .trail = candidate.trail});
        const bool is_from_page = candidate.referrer.empty();
        const NewUrl url{.print = print,
                         .host = candidate.host,
                         .lane = fresh.lane,
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

bool Store::admits(const Host& host, const Fingerprint& print) {
    const bool is_full =
        options_.urls_per_host_max && host.admitted_count >= *options_.urls_per_host_max;
    if (!is_full && !host.is_dropped) return true;
    // A link that was admitted meanwhile is a known one, not a refusal.
    if (!ledger_.seen().contains(print)) ++over_budget_count_;
    return false;
}

}  // namespace weft::frontier
