#include "frontier/store/store.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/bytes.h"

namespace weft::frontier {
namespace {

constexpr std::string_view kManifestName = "manifest";

// The lock file holds the number of the process.
constexpr std::size_t kLockBytesMax = 64_KiB;
constexpr std::size_t kMergeStepMin = 16_KiB;

// Two clock records are at least this far apart.
constexpr Duration kClockInterval = 1s;
constexpr std::size_t kFrameBytesMax = 4_MiB;  // A larger frame is written before the commit ends.

// The log may grow to this many times the memory of the tails. Outcomes are in the log only, so it
// grows faster than the tails do.
constexpr std::uint64_t kLogShare = 2;

// Makes the folder and the missing ones above it, and syncs their parents, so that they survive a
// loss of power.
void make_folder(aio::FileSystem& files, const std::filesystem::path& path) {
    std::vector<std::filesystem::path> made;
    for (std::filesystem::path each = path; !each.empty() && !files.exists(each);) {
        made.push_back(each);
        each = each.parent_path();
    }
    files.create_directories(path);
    for (const std::filesystem::path& each : made) {
        const std::filesystem::path parent = each.parent_path();
        files.sync_directory(parent.empty() ? "." : parent);
    }
}

// The process that holds the lock, as " (1234)"; empty if it is not known.
std::string lock_holder(aio::FileSystem& files, const std::filesystem::path& path) {
    if (!files.exists(path)) return {};
    const std::string text = files.read_all(path, kLockBytesMax);
    const std::string_view number = trim(text);
    return number.empty() ? std::string() : fmt::format(" ({})", number);
}

// A folder without a manifest counts as new only if it holds no data of a crawl. An empty log may
// be left by a process that was killed while it made the store.
void check_no_leftovers(aio::FileSystem& files, const std::filesystem::path& path) {
    // Only the head of the file.
    constexpr std::uint64_t kEmptyLogSize = 32;
    for (const std::string& name : files.list(path)) {
        const bool is_log = name.starts_with("log-");
        const bool has_data =
            is_log && files.open(path / name, aio::OpenMode::read)->size() > kEmptyLogSize;
        if (!has_data && !name.starts_with("seen-") && !name.starts_with("hosts-")) continue;
        throw StoreError(fmt::format("{} holds a crawl ({}), but its file '{}' is missing",
                                     path.string(), name, kManifestName),
                         kWayOut);
    }
}

}  // namespace

std::unique_ptr<Store> Store::open(aio::FileSystem& files, StoreOptions options, Random random) {
    const std::filesystem::path path = options.path;
    make_folder(files, path);
    // Before any file is read: the process that holds the lock may be changing them.
    std::unique_ptr<aio::FileLock> lock = files.try_lock(path / "lock");
    if (!lock) {
        throw LockedError(
            fmt::format("{} is in use by another process{}; wait for it to end, or stop it",
                        path.string(), lock_holder(files, path / "lock")));
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
        manifest.next_number = 2;
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
      shares_(options_.memory_bytes),
      manifest_(std::move(manifest)),
      ledger_(files_, options_.path, manifest_, shares_),
      dispatcher_(ledger_, options_.window, shares_.bench_count) {}

Store::~Store() = default;

std::filesystem::path Store::log_path(std::uint64_t number) const {
    return options_.path / fmt::format("log-{:06}", number);
}

void Store::create() {
    // The log first: the manifest must never name a file that does not exist.
    log_ = create_log(1);
    save_manifest();
}

void Store::recover() {
    ledger_.open(manifest_);
    // If the log was not closed, a sync of it may have failed: then its bytes may be in the
    // system's cache but not on disk (H89). So it is copied into a new log, which is synced.
    const std::uint64_t number = manifest_.log_number;
    const std::uint64_t size = CommitLog::size_of(files_, log_path(number));
    const bool is_closed = manifest_.closed_log_size == size;
    const bool is_there = files_.exists(log_path(number));  // If not, CommitLog::open() throws.
    if (is_there && manifest_.closed_log_number == number && size < manifest_.closed_log_size) {
        throw StoreError(fmt::format("the frontier has lost its end: {} has {} of {} bytes",
                                     log_path(number).string(), size, manifest_.closed_log_size),
                         kWayOut);
    }
    // Only after a loss can the log name pages that the archive does not hold.
    const bool is_in_doubt = !is_closed && options_.past == CommitLog::Past::lost;
    std::uint64_t held_count = is_in_doubt && options_.crawl_files
                                   ? count_held_frames()
                                   : std::numeric_limits<uint64_t>::max();
    std::unique_ptr<CommitLog> copy;
    if (!is_closed) copy = create_log(manifest_.next_number);
    log_ = CommitLog::open(files_, log_path(number), {manifest_.store_id, number}, options_.past,
                           [&](std::string_view payload) {
                               if (held_count-- == 0) return false;
                               replay_frame(payload, ledger_, last_clock_, options_.crawl_files);
                               if (copy) copy->append_copy(payload);
                               return true;
                           });
    // The manifest names the copy only once it is complete and synced. Until then a crash leaves
    // the old log valid.
    if (copy) {
        copy->sync();
        manifest_.log_number = manifest_.next_number++;
        manifest_.closed_log_size = manifest_.closed_log_number = 0;
        save_manifest();
        log_ = std::move(copy);
    }
    // Only at the end. If the manifest is too old, the files that it does not name may hold the
    // only copy, and what it names would have been missing above.
    remove_strays();
}

// How many frames to keep: all before the frames at the end of the log that name missing bytes. If
// bytes of a later frame are there, it was no loss of power, and the store is damaged.
std::uint64_t Store::count_held_frames() const {
    std::uint64_t count = 0;
    std::uint64_t held_count = 0;
    bool is_broken = false;
    const auto look = [&](std::string_view payload) {
        ++count;
        const Held held = ask_if_held(payload, *options_.crawl_files);
        if (held == Held::no) is_broken = true;
        if (!is_broken) held_count = count;
        if (!is_broken || held != Held::yes) return;
        throw StoreError(
            fmt::format("commits in the middle of {} speak of pages that the archive does not "
                        "hold",
                        log_path(manifest_.log_number).string()),
            kWayOut);
    };
    if (!files_.exists(log_path(manifest_.log_number))) return 0;
    CommitLog::read(files_, log_path(manifest_.log_number),
                    {manifest_.store_id, manifest_.log_number}, look);
    return held_count;
}

std::unique_ptr<CommitLog> Store::create_log(std::uint64_t number) {
    // Left by a process that was killed before the manifest named it.
    files_.remove(log_path(number));
    return CommitLog::create(files_, log_path(number), {manifest_.store_id, number});
}

void Store::close() {
    log_->sync();
    // The next open() compares these: a log that is shorter has lost its end.
    manifest_.closed_log_size = log_->size();
    manifest_.closed_log_number = manifest_.log_number;
    save_manifest();
    lock_.reset();
}

// At most once in kClockInterval, and only as part of a commit.
void Store::note_clock(WallTime now) {
    if (now - last_clock_ < kClockInterval) return;
    last_clock_ = now;
    put_clock(frame_.payload(), now);
}

Receipt Store::commit(std::span<Request> requests, WallTime now) {
    Receipt receipt;
    note_clock(now);
    receipt.answers.reserve(requests.size());
    std::size_t bytes = 0;
    CrawlFiles* const files = options_.crawl_files;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (files && frame_.is_empty()) files->hold_writes();
        const std::size_t prepared = i % kPrepareCount;
        if (prepared == 0) {
            prepare(requests.subspan(i, std::min(kPrepareCount, requests.size() - i)));
        }
        const auto handle_it = [&](auto& each) { return handle(each, prospects_[prepared]); };
        receipt.answers.push_back(std::visit(handle_it, requests[i]));
        const bool is_last = i + 1 == requests.size();
        if (frame_.is_empty() || (!is_last && frame_.payload_size() < kFrameBytesMax)) continue;
        bytes += frame_.payload_size();
        if (files) files->flush_writes();
        // From here on kill -9 does not lose these requests.
        log_->append(frame_);
    }
    // Only after the log is written: a URL must not be lent before it is committed.
    WEFT_ASSERT(frame_.is_empty());
    dispatcher_.dispatch(now, receipt.deliveries);
    fill_counts(receipt);
    merge_a_little(bytes);
    return receipt;
}

Receipt Store::deliver_all(WallTime now) {
    Receipt receipt;
    dispatcher_.touch_all();
    dispatcher_.dispatch(now, receipt.deliveries);
    fill_counts(receipt);
    return receipt;
}

void Store::checkpoint(std::string saved) {
    const std::uint64_t number = manifest_.next_number++;
    const std::uint64_t old_log = manifest_.log_number;
    ledger_.write_runs(number, manifest_);
    std::unique_ptr<CommitLog> log = create_log(number);
    // The old log, with its clock records, is removed.
    put_clock(frame_.payload(), last_clock_);
    log->append(frame_);
    manifest_.log_number = number;
    manifest_.closed_log_size = manifest_.closed_log_number = 0;
    manifest_.saved = std::move(saved);
    save_manifest();
    log_ = std::move(log);
    // The order matters: runs and new log are on disk, the manifest names them, only then the old
    // log goes.
    files_.remove(log_path(old_log));
    ledger_.after_checkpoint();
    dispatcher_.after_checkpoint();
}

// Spreads the cost of merging over the commits. A URL is merged about three times, so eight times
// the bytes that came in are more than enough to keep up.
void Store::merge_a_little(std::size_t bytes) {
    const std::size_t budget = 8 * bytes + kMergeStepMin;
    if (ledger_.seen().merge_step(budget, manifest_.next_number)) {
        manifest_.seen_runs = ledger_.seen().run_names();
        save_manifest();
        ledger_.seen().remove_old();
    }
    if (ledger_.runs().merge_step(budget, ledger_.counts().waiting, manifest_.next_number)) {
        manifest_.host_runs = ledger_.runs().run_names();
        save_manifest();
        ledger_.runs().remove_old();
        ledger_.forget_parts();
    }
}

void Store::save_manifest() {
    write_manifest(files_, options_.path / kManifestName, manifest_);
}

// Removes files that the manifest does not name: they were being written when a process was killed,
// or were not removed yet.
void Store::remove_strays() {
    std::set<std::string> known{fmt::format("log-{:06}", manifest_.log_number)};
    for (const RunName& run : manifest_.seen_runs) {
        known.insert(fmt::format("seen-{:06}", run.number));
        known.insert(fmt::format("seen-{:06}.filter", run.number));
    }
    for (const RunName& run : manifest_.host_runs) {
        known.insert(fmt::format("hosts-{:06}", run.number));
    }
    for (const std::string& name : files_.list(options_.path)) {
        const bool is_ours =
            name.starts_with("log-") || name.starts_with("seen-") || name.starts_with("hosts-");
        if (is_ours && !known.contains(name)) files_.remove(options_.path / name);
    }
}

bool Store::is_checkpoint_due() const {
    return ledger_.is_full() || log_->size() > kLogShare * shares_.tail_bytes;
}

void Store::fill_counts(Receipt& receipt) const {
    receipt.counts = ledger_.counts();
    receipt.counts.over_budget = over_budget_count_;
    receipt.wake_at = dispatcher_.wake_at();
    receipt.is_crowded = dispatcher_.is_crowded();
    receipt.is_checkpoint_due = is_checkpoint_due();
}

}  // namespace weft::frontier
