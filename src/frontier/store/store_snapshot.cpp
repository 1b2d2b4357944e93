#include "frontier/store/store_snapshot.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "base/hash.h"
#include "frontier/bench/queued_url.h"
#include "frontier/seen/fingerprint.h"
#include "frontier/seen/seen_run.h"
#include "frontier/store/commit_log.h"
#include "frontier/store/host_runs.h"
#include "frontier/store/manifest.h"
#include "frontier/store/records.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

// See look_again().
constexpr int kTriesMax = 5;
constexpr std::uint64_t kEntriesReadMax = 100'000;  // Takes about 20 ms.

// One lookup, in the files as one manifest names them.
class Looker {
public:
    Looker(aio::FileSystem& files, const std::filesystem::path& path, const Candidate& sought)
        : files_(files),
          path_(path),
          manifest_(read_manifest(files, path / "manifest")),
          sought_(sought),
          print_(fingerprint_of(sought.key, manifest_.hash_seed)) {}

    StoreSnapshot look() {
        look_into_runs();
        look_into_log();
        if (result_.is_admitted && !result_.candidate) look_into_queue();
        return std::move(result_);
    }

private:
    void look_into_runs() {
        // The filters are not loaded: for one fingerprint, one block of each run is less to read.
        for (const RunName& run : manifest_.seen_runs) {
            SeenRun seen(files_, path_ / fmt::format("seen-{:06}", run.number));
            if (!seen.contains(print_)) continue;
            result_.is_admitted = true;
            break;
        }
        runs_.emplace(files_, path_);
        runs_->open(manifest_.host_runs);
        queue_ = runs_->load(hash64(sought_.host, manifest_.hash_seed));
        if (!queue_) return;
        result_.host = {queue_->admitted_count, queue_->done_count};
        result_.host_ready_at = queue_->ready_at;
        result_.is_host_dropped = queue_->is_dropped;
    }

    void look_into_log() {
        FrameLook look;
        // The log changes what the runs say, in the order of its records.
        look.on_complete = [&](const CompleteRecord& record) {
            if (record.host == sought_.host) {
                if (!record.ending.retry_at) ++result_.host.done;
                result_.host_ready_at = std::max(result_.host_ready_at, record.ending.ready_at);
            }
            return url_in(record.outcome);
        };
        look.on_change = [&](const ChangeRecord& change) {
            if (change.host != sought_.host) return;
            if (change.ready_at) result_.host_ready_at = *change.ready_at;
            result_.is_host_dropped |= change.drop;
        };
        look.on_url = [&](const NewUrl& url) {
            if (url.host == sought_.host) ++result_.host.admitted;
            if (!(url.print == print_)) return;
            result_.is_admitted = true;
            note(read_entry(url.entry, url.referrer));
        };
        const std::filesystem::path log = path_ / fmt::format("log-{:06}", manifest_.log_number);
        CommitLog::read(files_, log, {manifest_.store_id, manifest_.log_number},
                        [&](std::string_view payload) { look_through(payload, look); });
    }

    void look_into_queue() {
        if (!queue_) return;
        runs_->find_parts(*queue_);
        std::uint64_t left = kEntriesReadMax;
        for (Lane& lane : queue_->lanes) {
            // Entries that were taken are no longer in the lane's chunks.
            bool is_found = false;
            lane.pending.each(
                [&](const Pending& pending) { is_found = is_found || note_if_it(pending); });
            if (is_found) return;
            while (lane.taken < lane.next && left > 0) {
                if (note_if_it(HostRuns::read_entry(lane))) return;
                ++lane.taken;
                --left;
            }
        }
    }

    bool note_if_it(const Pending& pending) {
        const QueuedUrl entry = read_entry(pending.bytes(), pending.referrer());
        if (entry.url != sought_.url && entry.url != sought_.key) return false;
        note(entry);
        return true;
    }

    void note(const QueuedUrl& entry) {
        result_.candidate = to_candidate(entry, sought_.host);
        result_.attempt = entry.attempt;
        if (entry.attempt > 1) result_.not_before = entry.not_before;
    }

    // Outcomes are lines of the page log, which begin with the URL.
    static std::string url_in(std::string_view outcome) {
        constexpr std::string_view kBefore = "\"url\":\"";
        const std::size_t begin = outcome.find(kBefore);
        if (begin == std::string_view::npos) return "";
        outcome.remove_prefix(begin + kBefore.size());
        return std::string(outcome.substr(0, outcome.find('"')));
    }

    aio::FileSystem& files_;
    std::filesystem::path path_;
    Manifest manifest_;
    const Candidate& sought_;
    Fingerprint print_;
    std::optional<HostRuns> runs_;
    std::unique_ptr<Host> queue_;
    StoreSnapshot result_;
};

Counts count(aio::FileSystem& files, const std::filesystem::path& path) {
    const Manifest manifest = read_manifest(files, path / "manifest");
    Counts counts{.seen = manifest.seen_count, .done = manifest.done_count};
    FrameLook look;
    look.on_url = [&](const NewUrl&) { ++counts.seen; };
    look.on_complete = [&](const CompleteRecord& record) {
        if (!record.ending.retry_at) ++counts.done;
        return std::string();
    };
    // The record of a dropped host does not say how many URLs it had, so these count as waiting
    // here.
    const std::filesystem::path log = path / fmt::format("log-{:06}", manifest.log_number);
    CommitLog::read(files, log, {manifest.store_id, manifest.log_number},
                    [&](std::string_view payload) { look_through(payload, look); });
    counts.waiting = counts.seen - std::min(counts.seen, counts.done);
    return counts;
}

// A checkpoint of the process that uses the store removes files that its old manifest named. The
// next attempt reads the new manifest.
template <class Look>
auto look_again(Look look) {
    for (int attempt = 1;; ++attempt) {
        try {
            return look();
        } catch (const aio::IoError&) {
            if (attempt == kTriesMax) throw;
        } catch (const StoreError&) {
            throw;
        } catch (const Error& error) {
            throw StoreError(fmt::format("a file in state/frontier is damaged: {}", error.what()),
                             kWayOut);
        }
    }
}

}  // namespace

StoreSnapshot find_in_store(aio::FileSystem& files, const std::filesystem::path& path,
                            const Candidate& sought) {
    return look_again([&] { return Looker(files, path, sought).look(); });
}

Counts counts_in_store(aio::FileSystem& files, const std::filesystem::path& path) {
    return look_again([&] { return count(files, path); });
}

}  // namespace weft::frontier
