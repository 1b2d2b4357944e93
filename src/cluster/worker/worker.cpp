#include "cluster/worker/worker.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/executor.h"
#include "aio/sync/wait_until.h"
#include "aio/task/sleep.h"
#include "aio/task/wait.h"
#include "base/bytes.h"
#include "cluster/entry.h"
#include "frontier/store/store_error.h"
#include "redis/error.h"

namespace weft::cluster {

using aio::Co;

namespace {

constexpr std::size_t kNameBytesMax = 128;
constexpr Duration kFinishPatience = 10s;  // For what Redis has not taken yet.
constexpr Duration kReleasePatience = 3s;
constexpr Duration kFenceLease = 1ms;
constexpr Duration kNotOwnedPause = 1s;

redis::ClusterOptions redis_options(const WorkerOptions& options) {
    return {.connection = options.connection,
            .library = std::string(function_library()),
            .again = function_errors_to_repeat(),
            // Calls wait for their master however long it is down; watch_on() ends the worker when
            // no server answers.
            .patience = Duration::max()};
}

}  // namespace

ClusterFrontier::Worker::Worker(std::filesystem::path folder, frontier::DiskOptions disk,
                                WorkerOptions options)
    : loop_(aio::EventLoop::running()),
      folder_(std::move(folder)),
      disk_(std::move(disk)),
      options_(std::move(options)),
      keys_(options_.crawl),
      files_(disk_.files ? *disk_.files : loop_.files()),
      cluster_(options_.nodes, redis_options(options_)),
      terms_(cluster_, keys_, {}, *this),
      census_(keys_),
      held_(disk_.max_per_host),
      known_(disk_.memory_bytes / 4) {
    options_.rules.host_max = disk_.urls_per_host_max.value_or(0);
}

// The worker's name is made with its folder, so a worker that comes back is the same one; the lock
// keeps two processes from being it.
void ClusterFrontier::Worker::lock_folder() {
    const std::filesystem::path path = folder_ / "state" / "cluster";
    files_.create_directories(path);
    lock_ = files_.try_lock(path / "lock");
    if (lock_) return;
    throw frontier::LockedError(fmt::format(
        "{} is in use by another process; wait for it to end, or stop it", path.string()));
}

void ClusterFrontier::Worker::read_name() {
    const std::filesystem::path path = folder_ / "state" / "cluster" / "worker";
    recovered.was_there = files_.exists(path);
    if (recovered.was_there) {
        name = trim(files_.read_all(path, kNameBytesMax));
        if (name.size() == 16) return;
        throw frontier::StoreError(fmt::format(
            "{} is damaged; put it back from a copy, or join with a new folder", path.string()));
    }
    name = options_.name.empty() ? fmt::format("{:016x}", loop_.random()()) : options_.name;
    files_.write_all(path, name + "\n");
    files_.sync_directory(path.parent_path());
}

void ClusterFrontier::Worker::note_archived(const std::optional<ArchivePlace>& place) {
    if (place && !place->file.empty()) archived_[place->file] = *place;
}

// The first line is that of CrawlFiles; then a line for each file of the archive.
std::string ClusterFrontier::Worker::saved_text() {
    std::string text = disk_.crawl_files ? disk_.crawl_files->save() : "";
    for (const auto& [file, place] : archived_) {
        text += fmt::format("\n{} {} {}", place.offset, place.length, file);
    }
    return text;
}

namespace {

// A line of saved_text().
std::optional<ArchivePlace> read_place(std::string_view line) {
    ArchivePlace place;
    const char* const end = line.data() + line.size();
    const auto offset = std::from_chars(line.data(), end, place.offset);
    if (offset.ec != std::errc() || offset.ptr == end) return std::nullopt;
    const auto length = std::from_chars(offset.ptr + 1, end, place.length);
    if (length.ec != std::errc() || length.ptr == end) return std::nullopt;
    place.file.assign(length.ptr + 1, end);
    return place;
}

}  // namespace

void ClusterFrontier::Worker::open_journal() {
    const Journal::Recovery recovery{
        .on_saved =
            [this](std::string_view saved) {
                const std::size_t end = std::min(saved.find('\n'), saved.size());
                recovered.saved = saved.substr(0, end);
                while (!saved.empty()) {
                    const std::string_view line = saved.substr(0, saved.find('\n'));
                    saved.remove_prefix(std::min(line.size() + 1, saved.size()));
                    note_archived(read_place(line));
                }
            },
        .on_outcome =
            [this](std::string_view outcome) {
                if (disk_.crawl_files) disk_.crawl_files->add_outcome(outcome);
            },
        .on_offered = [this](const Offer& offer) { note_archived(offer.archived); }};
    std::uint64_t store_id = 0;
    std::from_chars(name.data(), name.data() + name.size(), store_id, 16);
    using Past = frontier::CommitLog::Past;
    journal_ = Journal::open(files_,
                             {.folder = folder_ / "state" / "cluster",
                              .store_id = store_id,
                              .past = disk_.may_have_lost ? Past::lost : Past::killed},
                             recovery);
}

Co<> ClusterFrontier::Worker::open() {
    const TimePoint deadline = loop_.time() + frontier::kLockPatience;
    while (!lock_) {
        try {
            lock_folder();
        } catch (const frontier::LockedError&) {
            if (loop_.time() >= deadline) throw;
        }
        if (!lock_) co_await aio::sleep(frontier::kLockInterval);
    }
    read_name();
    co_await aio::run_in(loop_.executor(), [this] { open_journal(); });
    terms_.set_name(name, fmt::format("{:08x}", loop_.random()() & 0xffffffffU));
    co_await cluster_.connect();
    const bool has_replicas = cluster_.slots()->replica_count_min() > 0;
    cluster_.set_copies(has_replicas ? 1 : 0);
    co_await decide_open_offers();
    co_await restore_used_pages();
    recovered.archived = archived_;
}

// After a restart, Redis knows what this worker has done.
Co<> ClusterFrontier::Worker::restore_used_pages() {
    if (!recovered.was_there) co_return;
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        Sender sender(cluster_, group);
        const std::optional<std::uint64_t> pages = co_await pages_of(sender, keys_, name, false);
        used_pages_ = pages.value_or(0);
    });
}

// The process that made the offers is dead, but what it sent may still be on its way. So its term
// is ended first: what Redis has taken by then is all that it will ever take.
Co<std::uint64_t> ClusterFrontier::Worker::final_fate(std::uint16_t shard, std::uint64_t term) {
    for (;;) {
        const Result<Fate> fate = co_await send(cluster_, cluster::fate(key(shard), term));
        if (!fate) throw CallError(fate.error().text);
        if (!fate->goes_on) co_return fate->taken;
        const auto lease = std::chrono::duration_cast<Milliseconds>(kFenceLease);
        co_await send(cluster_, claim(key(shard), name + "/fence", lease));
    }
}

Co<> ClusterFrontier::Worker::decide_open_offers() {
    std::vector<Journal::TermKey> open;
    for (const auto& [key, offers] : journal_->open_offers()) open.push_back(key);
    for (const auto& [shard, term] : open) {
        const std::uint64_t taken = co_await final_fate(shard, term);
        for (const Offer& offer : journal_->take(shard, term, taken)) {
            if (disk_.crawl_files && !offer.outcome.empty()) {
                disk_.crawl_files->add_outcome(offer.outcome);
            }
        }
        journal_->withdraw(shard, term);
    }
    co_await aio::run_in(loop_.executor(), [journal = journal_] { journal->write(); });
}

// Until the purse has asked Redis, no page may begin.
void ClusterFrontier::Worker::steer(CrawlControl& crawl) {
    control = &crawl;
    if (options_.page_max) crawl.set_allowance(0, false);
    steered_.set();
}

void ClusterFrontier::Worker::start(const std::shared_ptr<Worker>& self) {
    began_ = now();
    running_ = aio::create_task(run(self), "cluster worker");
}

void ClusterFrontier::Worker::stop() noexcept {
    if (running_) running_->cancel();
}

Co<> ClusterFrontier::Worker::run(std::shared_ptr<Worker> self) {
    try {
        co_await self->run_all();
    } catch (const aio::ExceptionGroup& group) {
        std::exception_ptr first = group.exceptions().front();
        for (bool is_group = true; is_group;) {
            is_group = false;
            try {
                std::rethrow_exception(first);
            } catch (const aio::ExceptionGroup& inner) {
                first = inner.exceptions().front();
                is_group = true;
            } catch (const std::exception&) {
                // It is what failed first.
            }
        }
        self->fail(first);
    } catch (const Error&) {
        self->fail(std::current_exception());
    }
}

Co<> ClusterFrontier::Worker::run_all() {
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        group_ = &group;
        sender_.emplace(cluster_, group);
        group.create_task(terms_.run(), "terms");
        group.create_task(watch_on(), "redis watch");
        group.create_task(lend_on(), "lending");
        group.create_task(commit_on(), "rounds");
        group.create_task(report_on(), "worker report");
        group.create_task(count_on(), "census");
        started_.set();
        co_await ended_.wait();
        group.cancel();
    });
}

void ClusterFrontier::Worker::fail(std::exception_ptr error) noexcept {
    if (!failure_) failure_ = std::move(error);
    for (const ShardState& shard : shards_) {
        if (!shard.work) continue;
        for (const std::shared_ptr<Ending>& ending : shard.work->endings) queue_.push_back(ending);
    }
    for (const std::shared_ptr<Ending>& ending : std::exchange(queue_, {})) {
        // Its caller goes on to next() or finish(), which throw.
        if (!ending->result.done()) ending->result.set_result(frontier::Completed{0, false});
    }
    queue_works_.clear();
    if (control) control->stop();  // Also where the crawl waits for pages that it may begin.
    for (aio::Event* event : {&submitted_, &gathered_, &asked_, &changed_, &drained_, &started_}) {
        event->set();
    }
}

void ClusterFrontier::Worker::check() const {
    if (failure_) std::rethrow_exception(failure_);
}

Co<std::size_t> ClusterFrontier::Worker::push(std::vector<frontier::Candidate> candidates) {
    co_await started_.wait();
    check();
    const auto knows = [this](std::uint16_t shard, std::uint64_t fingerprint) {
        return is_known(shard, fingerprint);
    };
    std::map<std::uint16_t, LinkCalls> sorted =
        sort_links(std::move(candidates), "", options_.rules, knows);
    std::vector<aio::Task<std::size_t>> pushes;
    for (auto& [shard, calls] : sorted) {
        for (LinkBatch& batch : calls) {
            pushes.push_back(aio::create_task(push_links(shard, std::move(batch)), "push"));
        }
    }
    std::size_t new_count = 0;
    for (const aio::Task<std::size_t>& each : pushes) {
        const std::size_t added = co_await each;
        new_count += added;
    }
    has_seeds_ = true;
    co_return new_count;
}

Co<std::optional<frontier::Visit>> ClusterFrontier::Worker::next() {
    for (;;) {
        check();
        if (is_closed_ || is_over_) co_return std::nullopt;
        const std::optional<TimePoint> when = held_.next_time();
        if (when && *when <= now()) co_return held_.lend(now());
        changed_.clear();
        co_await aio::wait_until(changed_, when);
    }
}

Co<frontier::Completed> ClusterFrontier::Worker::complete(frontier::Completion completion) {
    check();
    const HeldLoan& loan = held_.loan(completion.visit_id);
    const std::uint16_t shard = loan.shard;
    if (completion.is_unbegun) {
        const bool may_fetch = terms_.may_fetch(shard);
        held_.give_back(completion.visit_id, now() + (may_fetch ? Duration{} : kNotOwnedPause));
        release_if_done(shard);
        changed_.set();
        co_return frontier::Completed{};
    }
    const std::shared_ptr<TermWork> work = shards_[shard].work;
    if (!work || work->term.number != loan.term) {
        held_.complete(completion.visit_id, completion.host_ready_at, std::nullopt);
        release_if_done(shard);
        co_return frontier::Completed{.new_count = 0, .is_kept = false};
    }
    const auto ending = std::make_shared<Ending>();
    ending->visit_id = completion.visit_id;
    ending->ready = completion.host_ready_at;
    ending->completion = std::move(completion);
    ending->result = aio::create_future<frontier::Completed>();
    queue_.push_back(ending);
    queue_works_.push_back(work);
    ++open_count_;
    drained_.clear();
    submitted_.set();
    if (is_round_full()) gathered_.set();
    co_return co_await ending->result;
}

Co<frontier::HostCounts> ClusterFrontier::Worker::host_counts(std::string host) {
    check();
    const std::uint16_t shard = options_.rules.shard(host);
    const Result<Look> look = co_await sender_->send(cluster::look(key(shard), host, 0));
    if (!look) co_return frontier::HostCounts{};
    co_return frontier::HostCounts{.admitted = look->admitted, .done = look->done};
}

Co<> ClusterFrontier::Worker::change_host(frontier::HostChange change) {
    check();
    const std::uint16_t shard = options_.rules.shard(change.host);
    const std::shared_ptr<TermWork> work = shards_[shard].work;
    if (!work) co_return;  // The next owner decides for itself.
    HostDecision decision{.host = change.host, .drop = change.drop};
    if (change.ready_at) {
        held_.set_ready(shard, change.host, *change.ready_at);
        const Duration wait = std::clamp<Duration>(*change.ready_at - now(), 0s, 24h * 365);
        decision.ready_in = std::chrono::ceil<Milliseconds>(wait);
    }
    if (change.drop) decision.lent = held_.drop(shard, change.host);
    changed_.set();
    const Result<std::uint64_t> dropped =
        co_await sender_->send(cluster::change(key(shard), work->term, decision));
    if (!dropped) terms_.note_stale(shard, work->term);
}

void ClusterFrontier::Worker::close() {
    is_closed_ = true;
    changed_.set();
}

frontier::Counts ClusterFrontier::Worker::counts() const {
    frontier::Counts counts;
    if (!totals_) return counts;
    counts.seen = totals_->seen;
    counts.done = std::min(totals_->done, totals_->seen);
    counts.lent = std::min<std::uint64_t>(held_.lent_count(), totals_->waiting());
    counts.waiting = totals_->waiting() - counts.lent;
    counts.over_budget = totals_->over_budget;
    return counts;
}

Co<> ClusterFrontier::Worker::checkpoint() {
    if (disk_.crawl_files) co_await disk_.crawl_files->sync();
    co_await aio::run_in(loop_.executor(), [journal = journal_, saved = saved_text()] {
        journal->checkpoint(saved);
    });
}

// What Redis has not taken within kFinishPatience stays in the journal; the next run asks for it.
Co<> ClusterFrontier::Worker::finish() {
    check();
    is_finishing_ = true;
    close();
    submitted_.set();
    gathered_.set();
    if (open_count_ > 0) co_await aio::wait_until(drained_, now() + kFinishPatience);
    check();
    const aio::Task<> leaving = aio::create_task(terms_.leave(), "leave");
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) give_up(shard);
    const TimePoint until = now() + kReleasePatience;
    while (now() < until && (!leaving.done() || sender_->longest_wait() > Duration::zero())) {
        co_await aio::sleep(10ms);
    }
    leaving.cancel();
    ended_.set();
    co_await aio::wait_futures({running_->state()});
    check();
    if (open_count_ == 0) co_await checkpoint();
    co_await aio::run_in(loop_.executor(), [journal = journal_] {
        journal->write();
        journal->sync();
    });
    lock_.reset();
}

// --- ClusterFrontier ---

Co<std::unique_ptr<ClusterFrontier>> ClusterFrontier::open(std::filesystem::path folder,
                                                           frontier::DiskOptions disk,
                                                           WorkerOptions options) {
    auto worker = std::make_shared<Worker>(std::move(folder), std::move(disk), std::move(options));
    co_await worker->open();
    worker->start(worker);
    co_return std::unique_ptr<ClusterFrontier>(new ClusterFrontier(std::move(worker)));
}

ClusterFrontier::ClusterFrontier(std::shared_ptr<Worker> worker) : worker_(std::move(worker)) {}

ClusterFrontier::~ClusterFrontier() {
    worker_->stop();
}

void ClusterFrontier::steer(CrawlControl& control) {
    worker_->steer(control);
}

const frontier::Recovered& ClusterFrontier::recovered() const {
    return worker_->recovered;
}

Co<std::size_t> ClusterFrontier::push(std::vector<frontier::Candidate> candidates) {
    co_return co_await worker_->push(std::move(candidates));
}

Co<std::optional<frontier::Visit>> ClusterFrontier::next() {
    co_return co_await worker_->next();
}

Co<frontier::Completed> ClusterFrontier::complete(frontier::Completion completion) {
    co_return co_await worker_->complete(std::move(completion));
}

Co<frontier::HostCounts> ClusterFrontier::host_counts(std::string host) {
    co_return co_await worker_->host_counts(std::move(host));
}

Co<> ClusterFrontier::change_host(frontier::HostChange change) {
    co_await worker_->change_host(std::move(change));
}

void ClusterFrontier::close() {
    worker_->close();
}

frontier::Counts ClusterFrontier::counts() const {
    return worker_->counts();
}

Co<> ClusterFrontier::checkpoint() {
    co_await worker_->checkpoint();
}

Co<> ClusterFrontier::finish() {
    co_await worker_->finish();
}

WorkerReport ClusterFrontier::report() const {
    return worker_->report();
}

const std::string& ClusterFrontier::worker_name() const {
    return worker_->name;
}

std::uint64_t ClusterFrontier::lost_page_count() const {
    return worker_->lost_page_count;
}

}  // namespace weft::cluster
