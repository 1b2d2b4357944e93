#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/bench/due.h"
#include "frontier/bench/host.h"
#include "frontier/seen/bloom.h"
#include "frontier/store/run_file.h"

namespace weft::frontier {

// A host in a run: its state when the run was written, and where in this run the entries of its
// lanes are.
struct HostImage {
    struct LaneImage {
        std::uint8_t number = 0;
        std::uint64_t taken = 0;
        std::uint64_t next = 0;
        std::vector<Pending> pending;
        std::uint64_t count = 0;   // Entries in this run. They end with the last one of the lane.
        std::uint64_t offset = 0;  // Of their chunks.
        std::uint64_t size = 0;
    };

    std::uint64_t id = 0;
    std::string name;
    WallTime ready_at{};
    std::optional<WallTime> due;  // If it has waiting URLs.
    std::uint64_t admitted_count = 0;
    std::uint64_t done_count = 0;
    bool is_dropped = false;
    std::vector<LaneImage> lanes;
};

// Writes hosts: for each first its chunks, then its image. REQUIRES: ascending order of ids.
class HostRunWriter {
public:
    HostRunWriter(aio::FileSystem& files, const std::filesystem::path& path,
                  std::size_t host_count_max);

    std::uint64_t offset() const { return out_.offset(); }
    void append_chunks(std::string_view bytes) { out_.append(bytes); }

    // Writes the image. REQUIRES: the offsets and sizes of its lanes are those of the chunks
    // appended.
    void end_host(const HostImage& image);

    void finish();
    std::uint64_t entry_count() const { return entry_count_; }

private:
    void end_index();

    RunWriter out_;
    DueWriter dues_{out_};
    Bloom filter_;
    std::string index_;
    std::size_t index_count_ = 0;
    std::string fences_;
    std::uint64_t host_count_ = 0;
    std::uint64_t entry_count_ = 0;
    std::uint64_t last_id_ = 0;
};

// Reads a file that HostRunWriter has written. Memory holds the filter and the first id of each
// index block. Not thread-safe.
class HostRun {
public:
    HostRun(aio::FileSystem& files, const std::filesystem::path& path);

    std::uint64_t host_count() const { return host_count_; }
    bool contains(std::uint64_t id) { return place_of(id).has_value(); }
    std::optional<HostImage> find(std::uint64_t id);

    // The dues of the hosts that had waiting URLs when the run was written. Taken dues come back
    // only if the run is opened again.
    DueList& dues();

    // Where the image of a host is.
    struct ImagePlace {
        std::uint64_t id;
        std::uint64_t offset;
        std::uint32_t size;
    };

    // The places of hosts with ids from `id` on, in order: the rest of one index block. Empty at
    // the end.
    std::vector<ImagePlace> places_from(std::uint64_t id);
    HostImage image_at(const ImagePlace& place);

    RunFile& file() { return file_; }

private:
    struct Fence {
        std::uint64_t first_id;
        std::uint64_t offset;
    };

    std::optional<ImagePlace> place_of(std::uint64_t id);
    std::size_t read_index(std::size_t number);
    bool is_in_order(std::size_t number) const;
    ImagePlace place_at(std::size_t index) const;
    std::size_t lower_bound(std::size_t count, std::uint64_t id) const;

    RunFile file_;
    std::uint64_t host_count_ = 0;
    std::vector<Fence> fences_;
    Bloom filter_;
    std::string due_segments_;
    std::optional<DueList> dues_;
    std::string index_;  // The block that was read last; in a small run that is all of it.
    std::optional<std::size_t> index_number_;
};

}  // namespace weft::frontier
