#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/files/files.h"
#include "base/archive_place.h"
#include "frontier/store/commit_log.h"

namespace weft::cluster {

// A completion that is on this worker's disk and on its way to Redis.
struct Offer {
    std::uint16_t shard = 0;
    std::uint64_t term = 0;    // The number of the term,
    std::uint64_t number = 0;  // and of the completion within it, from 1 on.
    std::string outcome;       // A line of the page log; empty: the URL is tried again.
    std::optional<ArchivePlace> archived;

    friend bool operator==(const Offer& a, const Offer& b) {
        return a.shard == b.shard && a.term == b.term && a.number == b.number &&
               a.outcome == b.outcome;
    }
};

// The worker's log of what it offers to Redis and of what Redis took. Redis decides whether a
// completion counts; the journal keeps what is needed until the decision is known:
//
//   offer()     the visit has ended, its archive records are written
//   take()      Redis has counted it, and replicas have confirmed that: its outcome is final
//   withdraw()  its term ended before: another worker makes the visit again
//
// Records gather until write(), which is one write to the file. After a crash, open() gives the
// outcomes that were taken since the last checkpoint, in order, and leaves the offers whose fate is
// not known: the caller asks Redis (`fate`) and calls take() or withdraw().
//
// checkpoint() begins a new file with the state of the caller's files and the open offers, so that
// the journal stays short. On one thread at a time, except that sync() may run beside the rest.
class Journal {
public:
    struct Options {
        std::filesystem::path folder;
        std::uint64_t store_id = 0;  // Of the worker's folder: files of another folder do not pass.
        frontier::CommitLog::Past past = frontier::CommitLog::Past::lost;
    };

    // What open() finds, in this order: on_saved() once, then on_outcome() for each outcome, and
    // on_offered() for each offer, whatever became of it. The last may be empty.
    struct Recovery {
        std::function<void(std::string_view saved)> on_saved;
        std::function<void(std::string_view outcome)> on_outcome;
        std::function<void(const Offer& offer)> on_offered = {};
    };

    // Opens the newest journal of the folder, or begins the first one. Throws IoError, StoreError.
    static std::unique_ptr<Journal> open(aio::FileSystem& files, Options options,
                                         const Recovery& recovery);

    void offer(Offer offer);

    // The offers of a term up to this number, in order. They are no longer open.
    std::vector<Offer> take(std::uint16_t shard, std::uint64_t term, std::uint64_t up_to);

    // The offers of a term that are still open. They do not count.
    std::vector<Offer> withdraw(std::uint16_t shard, std::uint64_t term);

    void write();
    void sync() { log_->sync(); }

    // Writes, begins a new file with `saved`, and removes the old one.
    void checkpoint(std::string_view saved);

    using TermKey = std::pair<std::uint16_t, std::uint64_t>;  // Shard, number of the term.
    const std::map<TermKey, std::deque<Offer>>& open_offers() const { return open_; }

    // Of the file, for the decision when to checkpoint.
    std::uint64_t size() const { return log_->size(); }

private:
    Journal(aio::FileSystem& files, Options options)
        : files_(files), options_(std::move(options)) {}

    std::filesystem::path path_of(std::uint64_t number) const;
    std::vector<std::uint64_t> numbers() const;
    bool read_log(std::uint64_t number, const Recovery& recovery);
    void begin(std::uint64_t number, std::string_view saved);
    void replay(std::string_view payload, const Recovery& recovery);
    std::vector<Offer> remove(std::uint16_t shard, std::uint64_t term, std::uint64_t up_to);

    aio::FileSystem& files_;
    const Options options_;
    std::uint64_t number_ = 0;
    std::unique_ptr<frontier::CommitLog> log_;
    frontier::Frame frame_;
    std::map<TermKey, std::deque<Offer>> open_;
};

}  // namespace weft::cluster
