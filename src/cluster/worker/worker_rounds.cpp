#include <algorithm>
#include <utility>

#include "aio/loop/executor.h"
#include "aio/sync/wait_until.h"
#include "aio/task/sleep.h"
#include "cluster/entry.h"
#include "cluster/worker/worker.h"
#include "frontier/store/store_error.h"

// The rounds in which completions go to the disk and to Redis.
namespace weft::cluster {

using aio::Co;

namespace {

constexpr std::size_t kRoundCount = 64;
constexpr std::uint64_t kJournalBytesMax = 64_MiB;  // Then a checkpoint is made.
constexpr Duration kForeignSaltTime = 10min;
constexpr Duration kFatePause = 100ms;

Milliseconds from_now(TimePoint time, TimePoint now) {
    constexpr Duration kLongest = 24h * 365;
    if (time <= now) return Milliseconds(0);
    return std::chrono::ceil<Milliseconds>(std::min<Duration>(time - now, kLongest));
}

std::size_t link_count_of(const LinkBatch& batch) {
    std::size_t count = 0;
    for (const LinkGroup& group : batch.groups) count += group.links.size();
    return count;
}

}  // namespace

bool ClusterFrontier::Worker::is_round_full() const {
    return queue_.size() >= kRoundCount || 4 * queue_.size() >= held_.lent_count() || is_finishing_;
}

// A round costs two syncs and two calls to each master: it waits a moment for more completions, if
// more are under way.
Co<> ClusterFrontier::Worker::gather() {
    if (queue_.empty() || is_round_full()) co_return;
    gathered_.clear();
    co_await aio::wait_until(gathered_, now() + options_.round_time);
}

Co<> ClusterFrontier::Worker::commit_on() {
    aio::current_task()->go_first();  // All workers wait for it.
    for (;;) {
        co_await submitted_.wait();
        co_await gather();
        submitted_.clear();
        const std::shared_ptr<Round> round = begin_round();
        if (round->endings.empty() && round->settlements.empty()) continue;
        co_await aio::run_in(loop_.executor(),
                             [journal = journal_, round] { write_round(*journal, *round); });
        if (!round->endings.empty()) co_await sync_round();
        if (disk_.crawl_files) {
            for (const std::string& outcome : round->outcomes) {
                disk_.crawl_files->add_outcome(outcome);
            }
        }
        for (std::size_t i = 0; i < round->endings.size(); ++i) {
            launch(round->works[i], round->endings[i]);
        }
        co_await checkpoint_if_due();
        if (open_count_ == 0 && settlements_.empty()) drained_.set();
    }
}

// Gives the completions their numbers and says what Redis is told about them.
std::shared_ptr<ClusterFrontier::Worker::Round> ClusterFrontier::Worker::begin_round() {
    auto round = std::make_shared<Round>();
    round->settlements = std::exchange(settlements_, {});
    const std::vector<std::shared_ptr<TermWork>> works = std::exchange(queue_works_, {});
    const std::vector<std::shared_ptr<Ending>> endings = std::exchange(queue_, {});
    for (std::size_t i = 0; i < endings.size(); ++i) {
        TermWork& work = *works[i];
        Ending& ending = *endings[i];
        if (work.is_lost) {
            settle(works[i], ending, false, std::nullopt);
            continue;
        }
        const HeldLoan& loan = held_.loan(ending.visit_id);
        const frontier::Completion& completion = ending.completion;
        ending.url = {.host = loan.host,
                      .domain = options_.counts_domains ? options_.rules.domain(loan.host) : "",
                      .place = loan.place,
                      .retry_in = {},
                      .retry_entry = {},
                      .is_page = completion.spent.is_page,
                      .bytes = completion.spent.bytes,
                      .time = std::chrono::duration_cast<Milliseconds>(completion.spent.time),
                      .frees_place = completion.frees_place};
        ending.number = work.next_number++;
        work.endings.push_back(endings[i]);
        round->works.push_back(works[i]);
        round->endings.push_back(endings[i]);
    }
    return round;
}

// On an executor's thread: the records of the pages, then one write to the journal.
void ClusterFrontier::Worker::write_round(Journal& journal, Round& round) {
    for (std::size_t i = 0; i < round.endings.size(); ++i) {
        frontier::Completion& completion = round.endings[i]->completion;
        if (completion.page) completion.page->write(completion);
        journal.offer({.shard = round.works[i]->shard,
                       .term = round.works[i]->term.number,
                       .number = round.endings[i]->number,
                       .outcome = completion.outcome,
                       .archived = completion.archived});
    }
    for (const Settlement& settled : round.settlements) {
        for (Offer& offer : journal.take(settled.shard, settled.term, settled.taken)) {
            if (!offer.outcome.empty()) round.outcomes.push_back(std::move(offer.outcome));
        }
        if (settled.withdraws_rest) journal.withdraw(settled.shard, settled.term);
    }
    journal.write();
}

// The archive first: the journal on disk must not name bytes that are not there.
Co<> ClusterFrontier::Worker::sync_round() {
    if (disk_.sync == frontier::SyncMode::never) co_return;
    if (disk_.crawl_files) co_await disk_.crawl_files->sync();
    co_await aio::run_in(loop_.executor(), [journal = journal_] { journal->sync(); });
}

Co<> ClusterFrontier::Worker::checkpoint_if_due() {
    if (journal_->size() >= kJournalBytesMax) co_await checkpoint();
}

// The term of an own shard; for others a number that changes now and then.
std::uint64_t ClusterFrontier::Worker::salt_of(std::uint16_t shard) const {
    const std::shared_ptr<TermWork>& work = shards_[shard].work;
    if (work) return (work->term.number << 16) + shard;
    return ~static_cast<std::uint64_t>(now().time_since_epoch() / kForeignSaltTime);
}

bool ClusterFrontier::Worker::is_known(std::uint16_t shard, std::uint64_t fingerprint) const {
    return known_.contains(fingerprint, salt_of(shard));
}

// Notes what a confirmed call said. Returns how many links were new.
std::size_t ClusterFrontier::Worker::note_verdicts(std::uint16_t shard, const LinkBatch& batch,
                                                   const std::vector<Verdict>& verdicts) {
    const std::uint64_t salt = salt_of(shard);
    std::size_t new_count = 0;
    for_each_verdict(batch, verdicts, [&](const Link& link, Verdict verdict) {
        if (verdict != Verdict::over_budget) known_.insert(link.fingerprint, salt);
        new_count += verdict == Verdict::fresh ? 1 : 0;
    });
    if (new_count == 0) return 0;
    for (const LinkGroup& group : batch.groups) held_.note_more(shard, group.host);
    wake_shard(shard);
    return new_count;
}

Co<std::size_t> ClusterFrontier::Worker::push_links(std::uint16_t shard, LinkBatch batch) {
    const Result<std::vector<Verdict>> verdicts =
        co_await sender_->send(cluster::push(key(shard), batch));
    if (!verdicts) throw CallError(verdicts.error().text);
    co_return note_verdicts(shard, batch, *verdicts);
}

Co<> ClusterFrontier::Worker::push_for(std::shared_ptr<TermWork> work,
                                       std::shared_ptr<Ending> ending, std::uint16_t shard,
                                       LinkBatch batch) {
    const std::size_t new_count = co_await push_links(shard, std::move(batch));
    ending->new_count += new_count;
    if (--ending->open_count > 0) co_return;
    ending->is_ready = true;
    pump(work);
}

// The completion is on disk: its links to other shards go out, then it may.
void ClusterFrontier::Worker::launch(const std::shared_ptr<TermWork>& work,
                                     const std::shared_ptr<Ending>& ending) {
    note_archived(ending->completion.archived);
    if (ending->is_settled || work->is_lost) return;  // settle_lost() decides.
    const HeldLoan& loan = held_.loan(ending->visit_id);
    const auto* queued = std::get_if<QueuePlace>(&loan.place);
    const std::uint8_t class_number = queued ? queued->class_number : 0;
    const auto visit = decode_entry(loan.entry, loan.host, class_number);
    if (!visit) throw frontier::StoreError(std::string(describe(visit.error())));
    ending->url.ready_in = from_now(ending->ready, now());
    if (const auto retry_at = ending->completion.retry_at) {
        ending->url.retry_in = from_now(*retry_at, now());
        ending->url.retry_entry = encode_entry(visit->candidate, visit->attempt + 1);
    }
    const auto knows = [this](std::uint16_t shard, std::uint64_t fingerprint) {
        return is_known(shard, fingerprint);
    };
    std::map<std::uint16_t, LinkCalls> sorted = sort_links(
        std::move(ending->completion.found), visit->candidate.url, options_.rules, knows);
    if (const auto own = sorted.find(work->shard); own != sorted.end()) {
        ending->own = std::move(own->second.back());
        own->second.pop_back();
    }
    for (auto& [shard, calls] : sorted) {
        for (LinkBatch& batch : calls) {
            ++ending->open_count;
            group_->create_task(push_for(work, ending, shard, std::move(batch)), "push");
        }
    }
    ending->completion.page.reset();  // It may hold a whole page.
    ending->is_ready = ending->open_count == 0;
    if (ending->is_ready) pump(work);
}

void ClusterFrontier::Worker::pump(const std::shared_ptr<TermWork>& work) {
    const bool has_some = !work->endings.empty() && work->endings.front()->is_ready;
    if (!has_some || work->is_busy || work->is_lost) return;
    work->is_busy = true;
    group_->create_task(send_done(work), "done");
}

Co<> ClusterFrontier::Worker::send_done(std::shared_ptr<TermWork> work) {
    bool goes_on = true;
    while (goes_on && !work->is_lost && !work->endings.empty() && work->endings.front()->is_ready) {
        goes_on = co_await send_some(work);
    }
    work->is_busy = false;
    release_if_done(work->shard);
}

// One call with as many completions as it may have. False: the term has ended.
Co<bool> ClusterFrontier::Worker::send_some(const std::shared_ptr<TermWork>& work) {
    std::vector<std::shared_ptr<Ending>> sent;
    std::vector<CompletedUrl> urls;
    LinkBatch links{
        .host_max = options_.rules.host_max, .domain_max = options_.rules.domain_max, .groups = {}};
    for (const std::shared_ptr<Ending>& ending : work->endings) {
        const bool fits = urls.size() < kCompletionsPerCallMax &&
                          link_count_of(links) + link_count_of(ending->own) <= kUrlsPerCallMax &&
                          links.groups.size() + ending->own.groups.size() <= kHostsPerCallMax;
        if (!ending->is_ready || !fits) break;
        sent.push_back(ending);
        urls.push_back(ending->url);
        links.groups.insert(links.groups.end(), ending->own.groups.begin(),
                            ending->own.groups.end());
    }
    const Result<Done> done = co_await sender_->send(
        cluster::done(key(work->shard), work->term, sent.front()->number, urls, links));
    if (!done) {
        if (done.error().reason == Refusal::Reason::gap) {
            // Redis has lost completions that it had confirmed: both copies are gone.
            lost_page_count += sent.front()->number - 1;
        }
        terms_.note_stale(work->shard, work->term);
        co_return false;
    }
    std::size_t link = 0;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        Ending& ending = *sent[i];
        const std::size_t count = link_count_of(ending.own);
        if (!done->was_done_before) {
            const auto first = done->links.begin() + static_cast<std::ptrdiff_t>(link);
            const std::vector<Verdict> its(first, first + static_cast<std::ptrdiff_t>(count));
            ending.new_count += note_verdicts(work->shard, ending.own, its);
        }
        link += count;
        std::optional<std::uint64_t> waiting;
        if (!done->was_done_before) waiting = done->waiting[i];
        settle(work, ending, true, waiting);
        work->endings.pop_front();
    }
    settlements_.push_back(
        {.shard = work->shard, .term = work->term.number, .taken = sent.back()->number});
    wake_shard(work->shard);
    submitted_.set();
    co_return true;
}

// Redis has decided.
void ClusterFrontier::Worker::settle(const std::shared_ptr<TermWork>& work, Ending& ending,
                                     bool is_kept, std::optional<std::uint64_t> waiting) {
    ending.is_settled = true;
    held_.complete(ending.visit_id, ending.ready, waiting);
    if (is_kept && ending.url.is_page) {
        ++used_pages_;
        ++run_pages_;
        if (!pages_by_second_.empty()) ++pages_by_second_.back();
    }
    if (is_kept) run_bytes_ += ending.url.bytes;
    --open_count_;
    if (!ending.result.done()) {
        ending.result.set_result(
            frontier::Completed{.new_count = ending.new_count, .is_kept = is_kept});
    }
    if (open_count_ == 0) submitted_.set();
    shards_[work->shard].is_hungry = true;
    asked_.set();
    changed_.set();
}

// The term has ended without this worker. Its last `done` may have been taken although no answer
// came: `fate` knows.
Co<> ClusterFrontier::Worker::settle_lost(std::shared_ptr<TermWork> work) {
    while (work->is_busy) co_await aio::sleep(kFatePause);
    std::uint64_t taken = 0;
    if (!work->endings.empty()) taken = co_await final_fate(work->shard, work->term.number);
    for (const std::shared_ptr<Ending>& ending : std::exchange(work->endings, {})) {
        settle(work, *ending, ending->number <= taken, std::nullopt);
    }
    settlements_.push_back(
        {.shard = work->shard, .term = work->term.number, .taken = taken, .withdraws_rest = true});
    submitted_.set();
}

}  // namespace weft::cluster
