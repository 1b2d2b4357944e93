#include "archive/index/line_sorter.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "archive/index/line_reader.h"
#include "base/assert.h"
#include "base/error.h"

namespace weft::archive {

namespace {

constexpr std::size_t kSortedBatchBytes = 256_KiB;

// How many runs are merged at once. Each has a buffer and an open file, so this bounds both.
constexpr std::size_t kMergedAtOnceMax = 64;

}  // namespace

// A sorted file and its next line. File and reader are on the heap, so that a Run can be moved
// within the heap of runs while `line_` points into the reader's buffer.
class LineSorter::Run {
public:
    explicit Run(std::unique_ptr<aio::File> file)
        : file_(std::move(file)), lines_(std::make_unique<LineReader>(*file_)) {
        advance();
    }

    bool is_over() const { return !line_; }
    std::string_view line() const { return *line_; }
    void advance() { line_ = lines_->next(); }

private:
    std::unique_ptr<aio::File> file_;
    std::unique_ptr<LineReader> lines_;
    std::optional<std::string_view> line_;
};

LineSorter::LineSorter(aio::FileSystem& files, std::filesystem::path scratch,
                       std::size_t memory_bytes_max)
    : files_(files), scratch_(std::move(scratch)), memory_bytes_max_(memory_bytes_max) {
    WEFT_ASSERT(memory_bytes_max <= 1_GiB);  // Entries have offsets of 32 bits.
}

LineSorter::~LineSorter() {
    for (const std::filesystem::path& run : runs_) {
        try {
            files_.remove(run);
        } catch (const Error&) {
            // A file that is left over does no harm: the next sorter with this name replaces it.
        }
    }
}

void LineSorter::add(std::string_view line) {
    WEFT_ASSERT(line.ends_with('\n'));
    if (lines_.size() + line.size() + entries_.size() * sizeof(LineSpan) > memory_bytes_max_ &&
        !entries_.empty()) {
        spill();
    }
    entries_.push_back(
        {static_cast<std::uint32_t>(lines_.size()), static_cast<std::uint32_t>(line.size())});
    lines_ += line;
}

void LineSorter::sort() {
    std::ranges::sort(entries_, [this](LineSpan a, LineSpan b) { return text(a) < text(b); });
}

std::filesystem::path LineSorter::make_run() {
    std::filesystem::path path = scratch_;
    path += fmt::format(".{}", run_count_++);
    files_.remove(path);
    runs_.push_back(path);
    return path;
}

void LineSorter::spill() {
    sort();
    const std::unique_ptr<aio::File> file = files_.open(make_run(), aio::OpenMode::create);
    std::string pending;
    for (const LineSpan entry : entries_) {
        pending += text(entry);
        if (pending.size() >= kSortedBatchBytes) file->append(std::exchange(pending, {}));
    }
    file->append(pending);
    lines_.clear();
    entries_.clear();
}

void LineSorter::merge(std::size_t begin, std::size_t end,
                       const std::function<void(std::string_view)>& take) {
    // A heap whose top is the run with the smallest next line.
    std::vector<Run> heap;
    for (std::size_t i = begin; i < end; ++i) {
        Run run(files_.open(runs_[i], aio::OpenMode::read));
        if (!run.is_over()) heap.push_back(std::move(run));
    }
    const auto is_later = [](const Run& a, const Run& b) { return a.line() > b.line(); };
    std::ranges::make_heap(heap, is_later);
    while (!heap.empty()) {
        std::ranges::pop_heap(heap, is_later);
        take(heap.back().line());
        heap.back().advance();
        if (heap.back().is_over()) {
            heap.pop_back();
        } else {
            std::ranges::push_heap(heap, is_later);
        }
    }
}

void LineSorter::finish(const std::function<void(std::string_view)>& take) {
    // Everything fits into memory, so that no file is needed.
    if (runs_.empty()) {
        sort();
        for (const LineSpan entry : entries_) take(text(entry));
        lines_.clear();
        entries_.clear();
        return;
    }
    spill();
    // The oldest runs are merged into a new one at the end of the list, until few enough are left.
    while (runs_.size() > kMergedAtOnceMax) {
        const std::vector<std::filesystem::path> merged(runs_.begin(),
                                                        runs_.begin() + kMergedAtOnceMax);
        const std::unique_ptr<aio::File> file = files_.open(make_run(), aio::OpenMode::create);
        std::string pending;
        merge(0, kMergedAtOnceMax, [&](std::string_view line) {
            pending += line;
            if (pending.size() >= kSortedBatchBytes) file->append(std::exchange(pending, {}));
        });
        file->append(pending);
        for (const std::filesystem::path& run : merged) files_.remove(run);
        runs_.erase(runs_.begin(), runs_.begin() + kMergedAtOnceMax);
    }
    merge(0, runs_.size(), take);
    for (const std::filesystem::path& run : runs_) files_.remove(run);
    runs_.clear();
}

}  // namespace weft::archive
