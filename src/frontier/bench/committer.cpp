#include "frontier/bench/committer.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/sync/wait_until.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "base/assert.h"
#include "base/limits.h"

namespace weft::frontier {

using aio::Co;

namespace {

// See is_batch_full() and gather().
constexpr std::size_t kBatchShare = 2;
constexpr std::size_t kBatchCount = 64;
constexpr Duration kGatherTime = 2ms;
constexpr Duration kClockAheadMax = 24h * 3'650;  // Limit of the store's clock ahead of the date.

// What the user can do about a failed write.
std::string_view way_out(std::error_code code) {
    if (code == std::errc::no_space_on_device || code.value() == EDQUOT) {
        return "free some space there, then resume";
    }
    if (code == std::errc::permission_denied || code == std::errc::read_only_file_system ||
        code == std::errc::operation_not_permitted) {
        return "make the folder writable, then resume";
    }
    if (code == std::errc::file_too_large) {
        return "allow larger files (ulimit -f), then resume";
    }
    if (code == std::errc::too_many_files_open) {
        return "allow more open files (ulimit -n), then resume";
    }
    return "check the folder and its disk, then resume";
}

// Turns the current exception into a StoreError that says what it means for the crawl. REQUIRES:
// called in a handler.
[[noreturn]] void rethrow_as_store_error() {
    try {
        throw;
    } catch (const aio::IoError& error) {
        throw StoreError(fmt::format("{} (what was committed is safe; {})", error.what(),
                                     way_out(error.code())));
    } catch (const StoreError&) {
        throw;
    } catch (const Error& error) {
        throw StoreError(fmt::format("a file in state/frontier is damaged: {}", error.what()),
                         kWayOut);
    }
}

}  // namespace

DiskFrontier::Committer::Committer(DiskOptions options)
    : loop_(aio::EventLoop::running()),
      options_(std::move(options)),
      workbench_(options_.max_per_host) {}

Co<> DiskFrontier::Committer::open(std::filesystem::path path) {
    aio::FileSystem& files = options_.files ? *options_.files : loop_.files();
    StoreOptions options{
        .path = std::move(path),
        .urls_per_host_max = options_.urls_per_host_max,
        .window = 2 * options_.max_per_host,
        .memory_bytes = options_.memory_bytes,
        .files = options_.files,
        .past = options_.may_have_lost ? CommitLog::Past::lost : CommitLog::Past::killed,
        .crawl_files = options_.crawl_files};
    try {
        store_ = co_await open_store(files, std::move(options));
        set_clock();
        // URLs that were lent when the last run ended are handed out again.
        Receipt receipt = co_await aio::run_in(
            loop_.executor(), [store = store_, now = now()] { return store->deliver_all(now); });
        take_deliveries(receipt);
    } catch (const Error&) {
        rethrow_as_store_error();
    }
    log_ = store_->log();
    recovered_.was_there = store_->was_there();
    recovered_.counts = counts();
    recovered_.archived = store_->ledger().archived();
    recovered_.sides = store_->ledger().sides();
    recovered_.saved = store_->saved();
    // If no URL is on the bench, all hosts are far from their time, and the first one comes at
    // wake_at_.
    const WallTime first = workbench_.next_time().value_or(wake_at_);
    if (first != WallTime::max()) recovered_.first_wait = until(first);
}

Co<std::shared_ptr<Store>> DiskFrontier::Committer::open_store(aio::FileSystem& files,
                                                               StoreOptions options) {
    const Random random(loop_.random()());
    const TimePoint deadline = loop_.time() + kLockPatience;
    std::exception_ptr locked;
    for (;;) {
        // While we wait, a repair may put a new frontier in the old one's place: make none there.
        if (!locked || files.exists(options.path / "manifest")) {
            try {
                co_return co_await aio::run_in(loop_.executor(), [&files, options, random] {
                    return std::shared_ptr<Store>(Store::open(files, options, random));
                });
            } catch (const LockedError&) {
                locked = std::current_exception();
            }
        }
        if (loop_.time() >= deadline) std::rethrow_exception(locked);
        co_await aio::sleep(kLockInterval);
    }
}

void DiskFrontier::Committer::start(const std::shared_ptr<Committer>& self) {
    committing_ = aio::create_task(commit_always(self), "frontier committer");
    if (options_.sync == SyncMode::interval) {
        syncer_ = aio::create_task(sync_always(self), "frontier sync");
    }
}

void DiskFrontier::Committer::stop() noexcept {
    if (committing_) committing_->cancel();
    if (syncer_) syncer_->cancel();
    store_.reset();
    log_.reset();
}

Co<Answer> DiskFrontier::Committer::submit(Request request) {
    check();
    const std::shared_ptr<Batch> batch = batch_;
    const std::size_t index = ask(std::move(request));
    co_await batch->done.wait();
    // The commit of the batch failed, or an earlier one did.
    if (batch->receipt.answers.empty()) check();
    co_return batch->receipt.answers[index];
}

std::size_t DiskFrontier::Committer::ask(Request request) {
    batch_->requests.push_back(std::move(request));
    ++open_request_count_;
    submitted_.set();
    if (is_batch_full()) gathered_.set();
    return batch_->requests.size() - 1;
}

// The batch holds half of the visits that are lent, or enough requests to justify a commit. With a
// quarter, a crawl of 64 visits at once took 1.6 times as many wakes of threads.
bool DiskFrontier::Committer::is_batch_full() const {
    const std::size_t count = batch_->requests.size();
    return count >= kBatchCount || kBatchShare * count >= workbench_.lent_count() || is_finishing_;
}

// A commit goes to another thread and back. That costs too much for one or two pages when many more
// are about to come.
Co<> DiskFrontier::Committer::gather() {
    if (is_batch_full()) co_return;
    gathered_.clear();
    co_await aio::wait_until(gathered_, loop_.time() + kGatherTime);
}

// The log does not record loans. In the log, a visit that did not begin is still waiting, so there
// is nothing to write.
Co<Answer> DiskFrontier::Committer::give_back(std::uint64_t visit_id) {
    check();
    workbench_.give_back(visit_id, WallTime{});
    changed_.set();
    co_return Answer{};
}

Co<Answer> DiskFrontier::Committer::complete(Completion completion) {
    const Slot slot = workbench_.slot_of(completion.visit_id);
    if (completion.is_unbegun && !workbench_.is_dropped(slot.host_id)) {
        return give_back(completion.visit_id);
    }
    VisitEnd ending{.slot = slot,
                    .ready_at = wall_of(completion.host_ready_at),
                    .frees_place = completion.frees_place};
    if (completion.retry_at) ending.retry_at = wall_of(*completion.retry_at);
    // The loan ends only when the batch is committed: until then the URL counts as lent.
    return submit(CompleteRequest{ending, std::move(completion)});
}

Co<std::optional<Visit>> DiskFrontier::Committer::next() {
    for (;;) {
        check();
        const Counts now_counts = counts();
        // A request that is not committed yet may bring new URLs.
        const bool is_over =
            now_counts.waiting == 0 && now_counts.lent == 0 && open_request_count_ == 0;
        if (closed_ || is_over) co_return std::nullopt;
        const WallTime time = now();
        const WallTime when = workbench_.next_time().value_or(WallTime::max());
        if (when <= time) {
            if (now_counts.waiting == 0) throw_miscounted();
            co_return workbench_.lend(time);
        }
        // An empty request makes the store dispatch hosts whose time has come near.
        if (wake_at_ <= time) {
            wake_at_ = WallTime::max();
            ask(std::string());
        }
        // Cleared before the wait and after the state was read, all without a suspension: no change
        // is missed.
        changed_.clear();
        const WallTime next = std::min(when, wake_at_);
        const bool has_time = next != WallTime::max();
        co_await aio::wait_until(
            changed_, has_time ? std::optional(loop_.time() + until(next)) : std::nullopt);
    }
}

Co<> DiskFrontier::Committer::change_host(HostChange change) {
    const std::uint64_t id = store_->ledger().host_id(change.host);
    ChangeRecord record{.host = std::move(change.host), .drop = change.drop};
    // The workbench changes at once, so that no URL of the host is lent while the commit runs.
    if (change.ready_at) {
        record.ready_at = wall_of(*change.ready_at);
        workbench_.set_ready(id, *record.ready_at);
    }
    if (change.drop) record.lent = workbench_.drop(id);
    changed_.set();
    co_await submit(std::move(record));
}

void DiskFrontier::Committer::close() {
    closed_ = true;
    changed_.set();
}

Counts DiskFrontier::Committer::counts() const {
    Counts counts = stored_;
    counts.lent = workbench_.lent_count();
    WEFT_ASSERT(counts.lent <= counts.waiting);
    counts.waiting -= counts.lent;
    return counts;
}

Co<> DiskFrontier::Committer::finish() {
    check();
    is_finishing_ = true;
    submitted_.set();
    gathered_.set();
    co_await *committing_;  // It ends when all earlier requests are committed.
    if (syncer_) syncer_->cancel();
    check();
    // The archive first: the log must not name bytes that are not on disk.
    if (options_.crawl_files) co_await options_.crawl_files->sync();
    try {
        co_await aio::run_in(loop_.executor(), [store = store_] { store->close(); });
    } catch (const Error&) {
        fail();
    }
    check();
    store_.reset();
    log_.reset();
}

Co<> DiskFrontier::Committer::commit_always(std::shared_ptr<Committer> self) {
    aio::current_task()->go_first();  // All workers wait for the committer.
    while (!self->failure_) {
        // At most one commit runs at a time. Requests that arrive meanwhile go into the next batch.
        co_await self->submitted_.wait();
        co_await self->gather();
        self->submitted_.clear();
        if (self->batch_->requests.empty()) {
            if (self->is_finishing_) co_return;
            continue;
        }
        const std::shared_ptr<Batch> batch = std::exchange(self->batch_, std::make_shared<Batch>());
        try {
            co_await self->commit(batch);
        } catch (const Error&) {
            self->fail();
        }
        // Also after a failure: the callers wake up, find no answers and throw.
        WEFT_ASSERT(self->open_request_count_ >= batch->requests.size());
        self->open_request_count_ -= batch->requests.size();
        batch->done.set();
        self->changed_.set();
        try {
            if (batch->receipt.is_checkpoint_due) co_await self->checkpoint();
        } catch (const Error&) {
            self->fail();
        }
        if (self->is_finishing_) self->submitted_.set();
    }
}

Co<> DiskFrontier::Committer::commit(std::shared_ptr<Batch> batch) {
    const bool syncs = options_.sync == SyncMode::commit;
    // If this is cancelled, the job runs on. It holds the store and the batch, so what it uses
    // stays alive.
    Receipt receipt = co_await aio::run_in(loop_.executor(), [store = store_, batch, now = now()] {
        return store->commit(batch->requests, now);
    });
    WEFT_ASSERT(receipt.answers.size() == batch->requests.size());
    if (syncs) co_await sync_log();
    batch->receipt = std::move(receipt);  // Only now: what is not synced is not confirmed.
    for (const Request& request : batch->requests) {
        const auto* completed = std::get_if<CompleteRequest>(&request);
        if (!completed) continue;
        const Completion& completion = completed->completion;
        workbench_.give_back(completion.visit_id, completed->ending.ready_at);
        if (!options_.crawl_files) continue;
        for (const FileSize& side : completion.sides)
            options_.crawl_files->note_side(side.file, side.size);
        if (completion.outcome.empty()) continue;
        options_.crawl_files->add_outcome(completion.outcome);
    }
    take_deliveries(batch->receipt);
    if (!syncs) unsynced_.set();
}

// The archive is synced first. After the checkpoint the old log is gone, and the manifest counts
// its pages as archived: their bytes must be on disk by then.
Co<> DiskFrontier::Committer::checkpoint() {
    std::string saved;
    if (options_.crawl_files) {
        co_await options_.crawl_files->sync();
        saved = options_.crawl_files->save();
    }
    co_await aio::run_in(loop_.executor(), [store = store_, owned = std::move(saved)]() mutable {
        store->checkpoint(std::move(owned));
    });
    log_ = store_->log();
}

void DiskFrontier::Committer::take_deliveries(Receipt& receipt) {
    // The limit is for files from another machine: a time far in the future must not stop a host
    // for ever. WallTime::max() stays, as it means that the host is paused.
    const auto limit = [latest = now() + limits::kRetryAfterMax](WallTime& time) {
        if (time != WallTime::max()) time = std::min(time, latest);
    };
    for (Delivery& delivery : receipt.deliveries) {
        limit(delivery.not_before);
        limit(delivery.host_ready_at);
        workbench_.add(std::move(delivery));
    }
    receipt.deliveries.clear();
    if (receipt.counts.waiting < workbench_.lent_count()) throw_miscounted();
    stored_ = receipt.counts;
    wake_at_ = receipt.wake_at.value_or(WallTime::max());
    // Hosts whose time is far leave the bench to make room. The store learns of it with the next
    // commit.
    if (!receipt.is_crowded) return;
    const WallTime far = now() + Dispatcher::kNear;
    for (const std::uint64_t host_id : workbench_.retire(far)) ask(RetireRequest{host_id});
}

Co<> DiskFrontier::Committer::sync_always(std::shared_ptr<Committer> self) {
    try {
        while (!self->failure_) {
            co_await self->unsynced_.wait();
            co_await aio::sleep(self->options_.sync_interval);
            // Cleared before the sync: a commit that ends during the sync starts another round.
            self->unsynced_.clear();
            co_await self->sync_log();
        }
    } catch (const Error&) {
        self->fail();
    }
}

Co<> DiskFrontier::Committer::sync_log() {
    // The log is chosen before the archive is synced: what this log says by now, the archive holds.
    // A checkpoint may begin another log meanwhile.
    const std::shared_ptr<CommitLog> log = log_;
    if (options_.crawl_files) co_await options_.crawl_files->sync();
    co_await aio::run_in(loop_.executor(), [log] { log->sync(); });
}

// Keeps the first error, and wakes all waiting callers, which then throw it. REQUIRES: called in a
// handler of an Error.
void DiskFrontier::Committer::fail() noexcept {
    try {
        rethrow_as_store_error();
    } catch (const Error&) {
        if (!failure_) failure_ = std::current_exception();
    }
    batch_->done.set();
    changed_.set();
}

void DiskFrontier::Committer::check() const {
    if (failure_) std::rethrow_exception(failure_);
}

// Times on disk are those of the store's own clock. It advances with the loop's clock and starts
// where it ended in the last run, or at the date if that is later. So if the date is set back,
// between runs or during one, no host has to wait longer. If it is set forward, a host is fetched
// too early by at most its own delay.
void DiskFrontier::Committer::set_clock() {
    clock_start_ = loop_.time();
    const WallTime date = loop_.wall_time();
    clock_wall_ = std::clamp(store_->last_clock(), date, date + kClockAheadMax);
}

WallTime DiskFrontier::Committer::wall_of(TimePoint time) const {
    if (time == TimePoint::max()) return WallTime::max();
    return clock_wall_ + (time - clock_start_);
}

// At most kRetryAfterMax, as a time from a file may be any.
Duration DiskFrontier::Committer::until(WallTime time) const {
    if (time <= now()) return Duration::zero();
    return std::min<Duration>(time - now(), limits::kRetryAfterMax);
}

}  // namespace weft::frontier
