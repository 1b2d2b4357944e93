#include "frontier/store/host_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

// This many neighbouring runs of one level are merged into one.
constexpr std::size_t kHostMergeWidth = 8;

// Most chunks fit into one read of this size.
constexpr std::size_t kReadSize = 4_KiB;

// With fewer dead entries than this a merge of all runs is not worth it.
constexpr std::uint64_t kDeadCountMin = 4096;

[[noreturn]] void throw_lost_entry() {
    throw StoreError("a URL that waits is in none of the files state/frontier/hosts-*", kWayOut);
}

HostImage image_of(const Host& host) {
    HostImage image{.id = host.id,
                    .name = host.name,
                    .ready_at = host.ready_at,
                    .due = host.waiting_count() > 0 ? std::optional(due_time(host)) : std::nullopt,
                    .admitted_count = host.admitted_count,
                    .done_count = host.done_count,
                    .is_dropped = host.is_dropped};
    for (const Lane& lane : host.lanes) {
        image.lanes.push_back({.number = lane.number,
                               .taken = lane.taken,
                               .next = lane.next,
                               .pending = lane.pending.copy()});
    }
    return image;
}

// Writes the entries that are only in memory; the others are in older runs.
void write_tail(HostRunWriter& writer, const Lane& lane, HostImage::LaneImage& image) {
    image.count = lane.tail_count;
    image.offset = writer.offset();
    ChunkPacker packer(lane.next - lane.tail_count);
    for (const TailEntry* tail = lane.tail_first; tail; tail = tail->next) {
        packer.add(tail->bytes(), tail->referrer());
        if (!tail->next || packer.is_ready()) writer.append_chunks(packer.take(!tail->next));
    }
    image.size = writer.offset() - image.offset;
}

}  // namespace

std::filesystem::path HostRuns::path_of(std::uint64_t number) const {
    return folder_ / fmt::format("hosts-{:06}", number);
}

void HostRuns::open(std::span<const RunName> runs) {
    for (const RunName& name : runs) {
        runs_.push_back({name, std::make_shared<HostRun>(files_, path_of(name.number))});
    }
}

std::unique_ptr<Host> HostRuns::load(std::uint64_t id) {
    // From the newest run: the first one that has the host holds its state.
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
        std::optional<HostImage> image = run->file->find(id);
        if (!image) continue;
        auto host = std::make_unique<Host>(Host{.id = id,
                                                .name = std::move(image->name),
                                                .ready_at = image->ready_at,
                                                .admitted_count = image->admitted_count,
                                                .done_count = image->done_count,
                                                .is_dropped = image->is_dropped,
                                                .has_parts = false});
        for (HostImage::LaneImage& lane : image->lanes) {
            host->lanes.push_back({.number = lane.number,
                                   .taken = lane.taken,
                                   .next = lane.next,
                                   .pending = PendingList(std::move(lane.pending))});
        }
        return host;
    }
    return nullptr;
}

void HostRuns::find_parts(Host& host) {
    for (Lane& lane : host.lanes) lane.parts().clear();
    // From the oldest run, as LaneOnDisk::parts is ordered.
    for (const Run& run : runs_) {
        const std::optional<HostImage> image = run.file->find(host.id);
        if (!image) continue;
        for (const HostImage::LaneImage& part : image->lanes) {
            // A newer state has all lanes of an older one, except in a forged file. No lane is
            // inserted: callers hold references to lanes.
            Lane* lane = host.find_lane(part.number);
            if (!lane || part.count == 0) continue;
            lane->parts().push_back({run.file, part.offset, part.offset + part.size});
        }
    }
    host.has_parts = true;
}

Pending HostRuns::read_entry(Lane& lane) {
    ChunkReader& chunk = lane.disk->chunk;
    do {
        if (chunk.is_at_end()) chunk = read_chunk(lane);
        chunk.advance();
        // After find_parts() the first chunk may begin with entries that were taken before.
    } while (chunk.sequence() < lane.taken);
    if (chunk.sequence() != lane.taken) throw_lost_entry();
    return Pending(lane.taken, chunk.entry(), chunk.referrer());
}

// Reads the chunk that holds the entry at `taken`.
ChunkReader HostRuns::read_chunk(Lane& lane) {
    std::string bytes;
    for (;;) {
        std::vector<LanePart>& parts = lane.parts();
        if (parts.empty()) throw_lost_entry();
        LanePart& part = parts.front();
        RunFile& file = part.run->file();
        const std::uint64_t offset = part.offset;
        const std::uint64_t left = part.end - offset;
        if (left == 0) {
            parts.erase(parts.begin());
            continue;
        }
        if (left < Chunk::kHeadSize) file.fail(offset);
        file.read(offset, std::min<std::uint64_t>(left, kReadSize), bytes);
        const Chunk chunk = read_chunk_head(bytes);
        // The head is used before the checksum is verified, so its size is checked here.
        if (chunk.size < Chunk::kHeadSize || chunk.size > left) file.fail(offset);
        part.offset += chunk.size;
        if (chunk.first + chunk.count <= lane.taken) continue;
        if (chunk.size > bytes.size()) file.read(offset, chunk.size, bytes);
        ChunkReader reader(bytes.substr(0, chunk.size));
        if (!reader.is_good()) file.fail(offset);
        return reader;
    }
}

void HostRuns::write_run(std::uint64_t number, std::span<Host* const> hosts) {
    if (hosts.empty()) return;
    HostRunWriter writer(files_, path_of(number), hosts.size());
    std::vector<HostImage::LaneImage> written;
    for (const Host* host : hosts) {
        HostImage image = image_of(*host);
        for (std::size_t i = 0; i < host->lanes.size(); ++i) {
            write_tail(writer, host->lanes[i], image.lanes[i]);
        }
        writer.end_host(image);
        std::ranges::move(image.lanes, std::back_inserter(written));
    }
    writer.finish();
    // Only after finish() is anything in memory changed: an exception before leaves the hosts as
    // they were.
    const auto run = std::make_shared<HostRun>(files_, path_of(number));
    runs_.push_back({{.number = number, .level = 0, .count = writer.entry_count()}, run});
    first_due_list_ = nullptr;
    auto image = written.begin();
    for (Host* host : hosts) {
        for (Lane& lane : host->lanes) {
            if (host->has_parts && image->count > 0) {
                lane.parts().push_back({run, image->offset, image->offset + image->size});
            }
            lane.tail_first = lane.tail_last = nullptr;
            lane.tail_count = 0;
            ++image;
        }
    }
}

std::optional<Due> HostRuns::first_due() {
    if (!first_due_list_) first_due_list_ = list_of_first_due();
    return first_due_list_ ? first_due_list_->first() : std::nullopt;
}

void HostRuns::take_first_due() {
    first_due_list_->take_first();
    first_due_list_ = nullptr;
}

// Skips dues of hosts that a newer run has: that run has the valid due.
DueList* HostRuns::list_of_first_due() {
    for (;;) {
        auto first = runs_.end();
        for (auto run = runs_.begin(); run != runs_.end(); ++run) {
            const std::optional<Due> due = run->file->dues().first();
            if (due && (first == runs_.end() || *due < *first->file->dues().first())) first = run;
        }
        if (first == runs_.end()) return nullptr;
        DueList& list = first->file->dues();
        const std::uint64_t id = list.first()->host_id;
        const bool is_stale = std::any_of(first + 1, runs_.end(),
                                          [id](const Run& run) { return run.file->contains(id); });
        if (!is_stale) return &list;
        list.take_first();
    }
}

std::vector<RunName> HostRuns::run_names() const {
    std::vector<RunName> names;
    for (const Run& run : runs_) names.push_back(run.name);
    return names;
}

bool HostRuns::merge_step(std::size_t bytes, std::uint64_t waiting_count,
                          std::uint64_t& next_number) {
    if (!merge_) start_merge(next_number, waiting_count);
    if (!merge_) return false;
    next_number = std::max(next_number, merge_target_.number + 1);
    if (!merge_->step(bytes)) return false;
    finish_merge();
    return true;
}

void HostRuns::start_merge(std::uint64_t number, std::uint64_t waiting_count) {
    std::size_t first = 0;
    std::size_t end = runs_.size();
    // A merge of all runs keeps the level of the oldest run, which is the highest.
    std::uint32_t level = runs_.empty() ? 0 : runs_.front().name.level;
    if (!is_mostly_dead(waiting_count)) {
        // Looks for the newest group of neighbouring runs of one level that is large enough.
        for (; end > 0; end = first) {
            first = end;
            while (first > 0 && runs_[first - 1].name.level == runs_[end - 1].name.level) --first;
            if (end - first >= kHostMergeWidth) break;
        }
        if (end == 0) return;
        level = runs_[first].name.level + 1;
    }
    std::vector<std::shared_ptr<HostRun>> inputs;
    for (std::size_t i = first; i < end; ++i) inputs.push_back(runs_[i].file);
    merge_first_ = first;
    merge_count_ = end - first;
    merge_target_ = {.number = number, .level = level};
    merge_ = std::make_unique<HostMerge>(files_, path_of(number), std::move(inputs));
}

bool HostRuns::is_mostly_dead(std::uint64_t waiting_count) const {
    std::uint64_t count = 0;
    for (const Run& run : runs_) count += run.name.count;
    // The last condition prevents merging all again when the last full merge could not drop much:
    // entries of a chunk stay until all of it is dead.
    return runs_.size() > 1 && count > 2 * waiting_count + kDeadCountMin &&
           count > 2 * count_after_full_merge_;
}

void HostRuns::finish_merge() {
    merge_->finish();
    merge_target_.count = merge_->entry_count();
    merge_.reset();
    // Checkpoints may have added runs since the merge began. They are newer, so the merged runs are
    // still at the same indices.
    const bool was_full = merge_count_ == runs_.size();
    const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(merge_first_);
    const auto end = begin + static_cast<std::ptrdiff_t>(merge_count_);
    for (auto run = begin; run != end; ++run) old_numbers_.push_back(run->name.number);
    *begin = {merge_target_, std::make_shared<HostRun>(files_, path_of(merge_target_.number))};
    runs_.erase(begin + 1, end);
    first_due_list_ = nullptr;
    if (was_full) count_after_full_merge_ = merge_target_.count;
}

void HostRuns::remove_old() {
    for (const std::uint64_t number : old_numbers_) files_.remove(path_of(number));
    old_numbers_.clear();
}

}  // namespace weft::frontier
