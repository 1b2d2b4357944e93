#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/host.h"
#include "frontier/store/run_file.h"

// When the hosts on disk are due. With this the dispatcher loads the hosts whose time has come, and
// reads no other.
namespace weft::frontier {

// A host with waiting URLs, and the first moment at which one of them can be lent.
struct Due {
    WallTime time{};
    std::uint64_t host_id = 0;

    friend auto operator<=>(const Due&, const Due&) = default;
};

// When the host is due, as far as memory knows. It is never later than the real time. REQUIRES: the
// host has waiting URLs.
WallTime due_time(const Host& host);

// The dues of a run are in segments, each sorted by time: those of up to this many hosts with
// neighbouring ids. So writing a run of many hosts needs memory for only one segment.
inline constexpr std::size_t kDuesPerSegment = 65'536;

// Writes the dues of a run while its hosts are written. `out` outlives it.
class DueWriter {
public:
    explicit DueWriter(RunWriter& out) : out_(out) {}

    void add(Due due);
    std::string finish();  // Returns what the constructor of DueList needs.

private:
    void end_segment();

    RunWriter& out_;
    std::vector<Due> dues_;
    std::string segments_;
};

// The dues of a run in order of time, over all segments. It reads one page at a time, as they are
// needed. `file` outlives it.
class DueList {
public:
    // `segments` is the result of DueWriter::finish().
    DueList(RunFile& file, std::string_view segments);

    // The first due that was not taken.
    std::optional<Due> first() const;

    // REQUIRES: first() has a value.
    void take_first();

    std::size_t memory_bytes() const;

private:
    struct Segment {
        std::uint64_t offset = 0;  // Of the next page to read.
        std::uint64_t left = 0;    // Dues that are not read yet.
        std::vector<Due> page;     // Dues that are read and not taken; the next one is last.
    };

    // Puts the next due of the segment into `heads_`.
    void offer(std::size_t segment);

    RunFile& file_;
    std::vector<Segment> segments_;
    using Head = std::pair<Due, std::size_t>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
};

}  // namespace weft::frontier
