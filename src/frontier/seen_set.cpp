#include "frontier/seen_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"

namespace weft::frontier {
namespace {

constexpr std::size_t kMergeWidth = 8;

}  // namespace

// Several runs, neighbours in age, on their way into one.
struct SeenSet::Merge {
    std::size_t first;  // Of runs_.
    std::size_t count;
    RunName target;
    SeenRunWriter writer;
    std::vector<SeenRun::Cursor> cursors;
    std::vector<std::optional<Fingerprint>> heads;

    // Whether all is written.
    bool step(std::size_t print_count) {
        for (; print_count > 0; --print_count) {
            std::optional<Fingerprint>* least = nullptr;
            for (std::optional<Fingerprint>& head : heads) {
                if (head && (!least || *head < **least)) least = &head;
            }
            if (!least) return true;
            writer.add(**least);
            *least = cursors[static_cast<std::size_t>(least - heads.data())].next();
        }
        return false;
    }
};

SeenSet::SeenSet(aio::FileSystem& files, std::filesystem::path folder, std::size_t memory_max)
    : files_(files), folder_(std::move(folder)), memory_max_(memory_max) {}

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
    if (SeenTable::memory_bytes_for(count) <= memory_max_) {
        table_.reserve(count);
        load_table();
    } else {
        spill();
    }
}

void SeenSet::load_table() {
    for (Run& run : runs_) {
        SeenRun::Cursor cursor(*run.file);
        while (const std::optional<Fingerprint> print = cursor.next()) table_.insert(*print);
    }
}

void SeenSet::prefetch(const Fingerprint& print) const {
    table_.prefetch(print);
    if (!is_spilled_) return;
    __builtin_prefetch(&recent_[print.low % recent_.size()]);
    for (const Run& run : runs_) run.file->prefetch(print);
}

bool SeenSet::contains(const Fingerprint& print) {
    return table_.contains(print) || (is_spilled_ && find_on_disk(print));
}

bool SeenSet::find_on_disk(const Fingerprint& print) {
    Fingerprint& recent = recent_[print.low % recent_.size()];
    if (recent == print) return true;
    for (Run& run : runs_) {
        if (!run.file->contains(print)) continue;
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
    if (is_spilled_ || table_.memory_bytes() > memory_max_) spill();
}

void SeenSet::spill() {
    table_.clear();
    if (!is_spilled_)
        recent_.resize(std::max<std::size_t>(64, memory_max_ / 8 / sizeof(Fingerprint)));
    is_spilled_ = true;
    fit_filters();
}

// A filter saves one read for each run, whatever the run's size: so those of the small runs first.
void SeenSet::fit_filters() {
    if (!is_spilled_) return;
    std::vector<SeenRun*> by_size;
    for (const Run& run : runs_) by_size.push_back(run.file.get());
    std::ranges::sort(by_size, {}, &SeenRun::filter_bytes);
    std::size_t left = filter_bytes_max();
    for (SeenRun* run : by_size) {
        if (run->filter_bytes() <= left) {
            left -= run->filter_bytes();
            run->load_filter();
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

// The newest group of neighbours of one level that is large enough.
void SeenSet::start_merge(std::uint64_t number) {
    for (std::size_t end = runs_.size(); end > 0;) {
        std::size_t first = end;
        std::uint64_t print_count = 0;
        while (first > 0 && runs_[first - 1].name.level == runs_[end - 1].name.level) {
            print_count += runs_[--first].name.count;
        }
        if (end - first >= kMergeWidth) {
            const RunName target{.number = number, .level = runs_[first].name.level + 1};
            merge_ = std::make_unique<Merge>(
                Merge{.first = first,
                      .count = end - first,
                      .target = target,
                      .writer = SeenRunWriter(files_, path_of(number), filter_shape(print_count))});
            for (std::size_t i = first; i < end; ++i) {
                merge_->cursors.emplace_back(*runs_[i].file);
                merge_->heads.push_back(merge_->cursors.back().next());
            }
            return;
        }
        end = first;
    }
}

// As many bits a key as let the filters of all runs of this size fit into memory.
BloomShape SeenSet::filter_shape(std::uint64_t print_count) const {
    const std::uint64_t bits = 8 * filter_bytes_max() / (kMergeWidth * print_count);
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
    std::size_t bytes = table_.memory_bytes() + new_.capacity() * sizeof(Fingerprint) +
                        recent_.capacity() * sizeof(Fingerprint);
    for (const Run& run : runs_) bytes += run.file->memory_bytes();
    return bytes;
}

}  // namespace weft::frontier
