#include "frontier/seen/seen_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"

namespace weft::frontier {
namespace {

// This many neighbouring runs of one level are merged into one.
constexpr std::size_t kSeenMergeWidth = 8;

}  // namespace

// The fingerprints of several runs in ascending order.
class SeenSet::AllRuns {
public:
    explicit AllRuns(std::span<Run> runs) {
        for (Run& run : runs) {
            cursors_.emplace_back(*run.file);
            heads_.push_back(cursors_.back().next());
        }
    }

    std::optional<Fingerprint> next() {
        if (heads_.empty()) return std::nullopt;
        if (!heads_[least_] || !(*heads_[least_] < second_)) find_least();
        if (!heads_[least_]) return std::nullopt;
        return std::exchange(heads_[least_], cursors_[least_].next());
    }

private:
    // The largest run holds most of the fingerprints, so several in a row come from it. `second_`
    // is the least head of the other runs: as long as the run stays below it, the others need no
    // look.
    void find_least() {
        second_ = {UINT64_MAX, UINT32_MAX};
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (!heads_[i] || i == least_) continue;
            if (!heads_[least_] || *heads_[i] < *heads_[least_]) {
                if (heads_[least_]) second_ = *heads_[least_];
                least_ = i;
            } else if (*heads_[i] < second_) {
                second_ = *heads_[i];
            }
        }
    }

    std::vector<SeenRun::Cursor> cursors_;
    std::vector<std::optional<Fingerprint>> heads_;
    std::size_t least_ = 0;
    Fingerprint second_;  // The least head of all other runs.
};

// A merge of runs that are neighbours in age.
struct SeenSet::Merge {
    std::size_t first;  // Index in runs_.
    std::size_t count;
    RunName target;
    SeenRunWriter writer;
    AllRuns runs;

    // Returns whether everything is written.
    bool step(std::size_t print_count) {
        for (; print_count > 0; --print_count) {
            const std::optional<Fingerprint> least = runs.next();
            if (!least) return true;
            writer.add(*least);
        }
        return false;
    }
};

SeenSet::SeenSet(aio::FileSystem& files, std::filesystem::path folder, std::size_t memory_max)
    : files_(files),
      folder_(std::move(folder)),
      memory_max_(memory_max),
      packed_(memory_max / 16 * 15) {}

SeenSet::~SeenSet() = default;

std::filesystem::path SeenSet::path_of(std::uint64_t number) const {
    return folder_ / fmt::format("seen-{:06}", number);
}

void SeenSet::open(std::span<const RunName> runs) {
    std::uint64_t count = 0;
    for (const RunName& name : runs) {
        runs_.push_back({name, std::make_unique<SeenRun>(files_, path_of(name.number))});
        count += runs_.back().file->count();
    }
    is_spilled_ = SeenTable::memory_bytes_for(count) > memory_max_;
    if (is_spilled_) {
        load_packed();
        fit_filters();
    } else {
        table_.reserve(count);
        load_table();
    }
}

void SeenSet::load_table() {
    for (Run& run : runs_) {
        SeenRun::Cursor cursor(*run.file);
        while (const std::optional<Fingerprint> print = cursor.next()) table_.insert(*print);
    }
}

void SeenSet::load_packed() {
    // Covering less from the start avoids loading fingerprints that would be given up again.
    packed_.cover(fitting_step_count());
    AllRuns all(runs_);
    for (std::optional<Fingerprint> print = all.next(); print && packed_.covers(*print);
         print = all.next()) {
        packed_.append(*print);
    }
    packed_.end();
}

void SeenSet::prefetch(const Fingerprint& print) const {
    table_.prefetch(print);
    if (!is_spilled_) return;
    if (packed_.covers(print)) {
        packed_.prefetch(print);
        return;
    }
    // Not covered: the same path as find_on_disk().
    __builtin_prefetch(&recent_[print.low % recent_.size()]);
    for (const Run& run : runs_) run.file->prefetch(print);
}

bool SeenSet::contains(const Fingerprint& print) {
    if (table_.contains(print)) return true;
    if (!is_spilled_) return false;
    return packed_.covers(print) ? packed_.contains(print) : find_on_disk(print);
}

bool SeenSet::find_on_disk(const Fingerprint& print) {
    Fingerprint& recent = recent_[print.low % recent_.size()];
    if (recent == print) return true;
    for (Run& run : runs_) {
        if (!run.file->contains(print)) continue;
        // Only hits are remembered. A miss is about to be inserted into the table.
        recent = print;
        return true;
    }
    return false;
}

bool SeenSet::insert(const Fingerprint& print) {
    if (!table_.insert(print)) return false;
    new_.push_back(print);
    return true;
}

void SeenSet::write_run(std::uint64_t number) {
    if (new_.empty()) return;
    std::ranges::sort(new_, [](const Fingerprint& a, const Fingerprint& b) { return a < b; });
    SeenRunWriter writer(files_, path_of(number), BloomShape::of(new_.size()));
    for (const Fingerprint& print : new_) writer.add(print);
    writer.finish();
    runs_.push_back({{.number = number, .level = 0, .count = writer.count()},
                     std::make_unique<SeenRun>(files_, path_of(number))});
}

void SeenSet::after_checkpoint() {
    new_.clear();
    new_.shrink_to_fit();
    // Packing is one pass over all packed fingerprints, so the table collects 1/32 of the memory
    // first.
    const std::size_t table_max = is_spilled_ ? memory_max_ / 32 : memory_max_;
    if (table_.memory_bytes() > table_max) pack_table();
    fit_filters();
}

// Everything in the table is in runs as well, so fingerprints that are not covered are not lost.
void SeenSet::pack_table() {
    packed_.cover(fitting_step_count());
    if (!is_spilled_) {
        table_.drain([this](const Fingerprint& print) { packed_.append(print); });
        packed_.end();
        is_spilled_ = true;
        return;
    }
    std::vector<Fingerprint> prints;
    prints.reserve(table_.size());
    table_.drain([&prints](const Fingerprint& print) { prints.push_back(print); });
    packed_.merge(prints);
}

// The number of steps that can be packed, if the other steps need filters and the cache of recent
// fingerprints.
std::size_t SeenSet::fitting_step_count() const {
    std::size_t count = 0;
    std::size_t filter_bytes = 0;
    for (const Run& run : runs_) {
        count += run.file->count();
        filter_bytes += run.file->filter_bytes(0);
    }
    constexpr std::size_t kSteps = PackedPrints::kStepCount;
    for (std::size_t steps = kSteps; steps > 0; --steps) {
        const std::size_t others =
            steps == kSteps ? 0 : recent_bytes() + filter_bytes / kSteps * (kSteps - steps);
        const std::size_t bytes = packed_.bytes_for(count / kSteps * steps + 1) + others;
        if (bytes <= memory_max_ / 16 * 15) return steps;
    }
    return 0;
}

// A filter saves one read for each lookup in its run, whatever the run's size. So the filters of
// small runs are loaded first.
void SeenSet::fit_filters() {
    if (!is_spilled_) return;
    packed_.cover(fitting_step_count());
    if (packed_.step_count() == PackedPrints::kStepCount) return;
    const std::uint64_t first = packed_.first_uncovered();
    if (recent_.empty()) {
        recent_.resize(std::max<std::size_t>(64, recent_bytes() / sizeof(Fingerprint)));
    }
    std::vector<SeenRun*> by_size;
    for (const Run& run : runs_) by_size.push_back(run.file.get());
    std::ranges::sort(by_size, {}, &SeenRun::count);
    std::size_t left = filter_bytes_max();
    for (SeenRun* run : by_size) {
        if (run->filter_bytes(first) <= left) {
            left -= run->filter_bytes(first);
            run->load_filter(first);
        } else {
            run->unload_filter();
        }
    }
}

std::vector<RunName> SeenSet::run_names() const {
    std::vector<RunName> names;
    for (const Run& run : runs_) names.push_back(run.name);
    return names;
}

bool SeenSet::merge_step(std::size_t bytes, std::uint64_t& next_number) {
    if (!merge_) start_merge(next_number);
    if (!merge_) return false;
    next_number = std::max(next_number, merge_->target.number + 1);
    if (!merge_->step(bytes / sizeof(Fingerprint) + 1)) return false;
    finish_merge();
    return true;
}

// Looks for the newest group of neighbouring runs of one level that is large enough.
void SeenSet::start_merge(std::uint64_t number) {
    for (std::size_t end = runs_.size(); end > 0;) {
        std::size_t first = end;
        std::uint64_t print_count = 0;
        while (first > 0 && runs_[first - 1].name.level == runs_[end - 1].name.level) {
            print_count += runs_[--first].name.count;
        }
        if (end - first >= kSeenMergeWidth) {
            const RunName target{.number = number, .level = runs_[first].name.level + 1};
            merge_ = std::make_unique<Merge>(
                Merge{.first = first,
                      .count = end - first,
                      .target = target,
                      .writer = SeenRunWriter(files_, path_of(number), filter_shape(print_count)),
                      .runs = AllRuns(std::span(runs_).subspan(first, end - first))});
            return;
        }
        end = first;
    }
}

// Uses as many bits a key as let the filters of kSeenMergeWidth runs of this size fit into memory.
BloomShape SeenSet::filter_shape(std::uint64_t print_count) const {
    const std::uint64_t bits = 8 * filter_bytes_max() / (kSeenMergeWidth * print_count);
    return BloomShape::of(print_count, std::clamp<std::uint64_t>(bits, 3, BloomShape::kBitsPerKey));
}

void SeenSet::finish_merge() {
    merge_->writer.finish();
    merge_->target.count = merge_->writer.count();
    const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(merge_->first);
    const auto end = begin + static_cast<std::ptrdiff_t>(merge_->count);
    for (auto run = begin; run != end; ++run) old_numbers_.push_back(run->name.number);
    Run merged{merge_->target, std::make_unique<SeenRun>(files_, path_of(merge_->target.number))};
    merge_.reset();
    *begin = std::move(merged);
    runs_.erase(begin + 1, end);
    fit_filters();
}

void SeenSet::remove_old() {
    for (const std::uint64_t number : old_numbers_) {
        files_.remove(path_of(number));
        files_.remove(SeenRun::filter_path(path_of(number)));
    }
    old_numbers_.clear();
}

std::size_t SeenSet::memory_bytes() const {
    std::size_t bytes = table_.memory_bytes() + packed_.memory_bytes() +
                        (new_.capacity() + recent_.capacity()) * sizeof(Fingerprint);
    for (const Run& run : runs_) bytes += run.file->memory_bytes();
    return bytes;
}

}  // namespace weft::frontier
