#include "frontier/store.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "frontier/records.h"

namespace weft::frontier {
namespace {

constexpr std::string_view kManifestName = "manifest";

// A folder without a manifest is taken for a new one only if nothing of a crawl is lost by that.
void check_no_leftovers(aio::FileSystem& files, const std::filesystem::path& path) {
    constexpr std::uint64_t kEmptyLogSize = 32;
    for (const std::string& name : files.list(path)) {
        const bool is_log = name.starts_with("log-");
        const bool has_data =
            is_log && files.open(path / name, aio::OpenMode::read)->size() > kEmptyLogSize;
        if (!has_data && !name.starts_with("seen-") && !name.starts_with("hosts-")) continue;
        throw StoreError(fmt::format(
            "{} holds a crawl ({}), but its file '{}' is missing; put it back, or start a new "
            "crawl in another folder",
            path.string(), name, kManifestName));
    }
}

}  // namespace

std::unique_ptr<Store> Store::open(aio::FileSystem& files, StoreOptions options, Random random) {
    const std::filesystem::path path = options.path;
    files.create_directories(path);
    std::unique_ptr<aio::FileLock> lock = files.try_lock(path / "lock");
    if (!lock) {
        throw StoreError(fmt::format(
            "{} is in use by another process; wait for it to end, or stop it", path.string()));
    }
    const bool is_there = files.exists(path / kManifestName);
    Manifest manifest;
    if (is_there) {
        manifest = read_manifest(files, path / kManifestName);
    } else {
        check_no_leftovers(files, path);
        manifest.store_id = random();
        manifest.hash_seed = random();
        manifest.log_number = 1;
    }
    std::unique_ptr<Store> store(new Store(files, std::move(options), std::move(manifest)));
    store->lock_ = std::move(lock);
    store->was_there_ = is_there;
    if (is_there) {
        store->recover();
    } else {
        store->create();
    }
    return store;
}

Store::Store(aio::FileSystem& files, StoreOptions options, Manifest manifest)
    : files_(files),
      options_(std::move(options)),
      manifest_(std::move(manifest)),
      ledger_(manifest_.hash_seed) {}

Store::~Store() = default;

std::filesystem::path Store::log_path(std::uint64_t number) const {
    return options_.path / fmt::format("log-{:06}", number);
}

void Store::create() {
    files_.remove(log_path(1));  // Left by a start that did not get as far as the manifest.
    log_ = CommitLog::create(files_, log_path(1), {manifest_.store_id, 1});
    write_manifest(files_, options_.path / kManifestName, manifest_);
}

void Store::recover() {
    const Replay replay{ledger_, options_.on_outcome, options_.holds};
    log_ = CommitLog::open(files_, log_path(manifest_.log_number),
                           {manifest_.store_id, manifest_.log_number},
                           [&replay](std::string_view payload) {
                               if (!is_held(payload, replay)) return false;
                               replay_frame(payload, replay);
                               return true;
                           });
}

Receipt Store::commit(std::span<Request> requests) {
    Receipt receipt;
    receipt.answers.reserve(requests.size());
    for (Request& request : requests) {
        receipt.answers.push_back(std::visit([this](auto& each) { return handle(each); }, request));
    }
    if (!frame_.is_empty()) log_->append(frame_);
    deliver_touched(receipt);
    fill_counts(receipt);
    return receipt;
}

Receipt Store::deliver_all() {
    Receipt receipt;
    for (auto& [id, host] : ledger_.hosts()) {
        if (host.waiting_count() > 0) touch(host);
    }
    std::ranges::sort(touched_, {}, [](const Host* host) { return host->id; });
    deliver_touched(receipt);
    fill_counts(receipt);
    return receipt;
}

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
    touch(*host);
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
    apply(record, ledger_);
    return {};
}

std::size_t Store::add_urls(std::vector<Candidate>& candidates, std::string_view host,
                            std::string_view page) {
    SeenTable& seen = ledger_.seen();
    prints_.clear();
    for (const Candidate& candidate : candidates) {
        prints_.push_back(ledger_.fingerprint(candidate.key));
        seen.prefetch(prints_.back());
    }
    UrlListWriter writer(frame_.payload(), host, page);
    std::size_t new_count = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        if (seen.contains(prints_[i])) continue;
        Host& owner = ledger_.host(candidate.host);
        if (!admits(owner)) continue;
        seen.insert(prints_[i]);
        entry_.clear();
        put_entry(entry_, {.url = candidate.url,
                           .depth = candidate.depth,
                           .redirects_left = candidate.redirects_left});
        const bool is_from_page = candidate.referrer.empty();
        const NewUrl url{.print = prints_[i],
                         .host = candidate.host,
                         .lane = std::min(candidate.priority, kPriorityMax),
                         .entry = entry_,
                         .referrer = is_from_page ? page : std::string_view(candidate.referrer)};
        writer.add(url);
        ledger_.add(owner, url);
        touch(owner);
        ++new_count;
    }
    writer.end();
    return new_count;
}

bool Store::admits(const Host& host) {
    const bool is_full =
        options_.urls_per_host_max && host.admitted_count >= *options_.urls_per_host_max;
    if (!is_full && !host.is_dropped) return true;
    ++over_budget_count_;
    return false;
}

void Store::touch(Host& host) {
    if (std::exchange(host.is_touched, true)) return;
    touched_.push_back(&host);
}

void Store::deliver_touched(Receipt& receipt) {
    for (Host* host : touched_) {
        host->is_touched = false;
        deliver(*host, receipt);
    }
    touched_.clear();
}

void Store::deliver(Host& host, Receipt& receipt) {
    Delivery delivery{.host_id = host.id, .host = host.name, .ready_at = host.ready_at};
    for (Lane& lane : host.lanes) {
        while (lane.pending.size() < options_.window && lane.taken < lane.next) {
            ledger_.take(host, lane);
        }
        for (Pending& pending : lane.pending) {
            if (std::exchange(pending.is_on_bench, true)) continue;
            const Entry entry = read_entry(pending.bytes, pending.referrer);
            Delivery::Item& item = delivery.items.emplace_back();
            item.slot = {host.id, pending.sequence, lane.number};
            item.attempt = entry.attempt;
            item.not_before = entry.not_before;
            item.candidate.url = entry.url;
            item.candidate.host = host.name;
            item.candidate.referrer = entry.referrer;
            item.candidate.depth = entry.depth;
            item.candidate.redirects_left = entry.redirects_left;
            if (!is_retry_lane(lane.number)) item.candidate.priority = lane.number;
        }
    }
    if (!delivery.items.empty()) receipt.deliveries.push_back(std::move(delivery));
}

void Store::fill_counts(Receipt& receipt) const {
    receipt.seen_count = ledger_.totals().seen;
    receipt.done_count = ledger_.totals().done;
    receipt.over_budget_count = over_budget_count_;
}

}  // namespace weft::frontier
