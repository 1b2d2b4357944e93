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

// When the hosts on disk are due: what lets the dispatcher fetch those whose time has come, and
// look at no other.
namespace weft::frontier {

// A host that waits, and the first moment at which a URL of it can be lent.
struct Due {
    WallTime time{};
    std::uint64_t host_id = 0;

    friend auto operator<=>(const Due&, const Due&) = default;
};

// When the host is due, as far as is known without reading the disk: never later than it is.
// REQUIRES: it has URLs that wait.
WallTime due_time(const Host& host);

// Dues in a run, in order: those of up to kDuesPerSegment hosts with neighbouring ids. A run of
// many hosts has several segments, so that writing it takes no more memory than one.
struct DueSegment {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
};
inline constexpr std::size_t kDuesPerSegment = 65'536;

// Gathers the dues of a run that is written.
class DueWriter {
public:
    explicit DueWriter(RunWriter& out) : out_(out) {}

    void add(Due due);
    std::string finish();  // What DueList needs to know.

private:
    void end_segment();

    RunWriter& out_;
    std::vector<Due> dues_;
    std::string segments_;
};

// The dues of a run in order, read a page at a time as they are wanted.
class DueList {
public:
    // `segments` is what DueWriter::finish() gave.
    DueList(RunFile& file, std::string_view segments);

    // The first that was not taken.
    std::optional<Due> first() const;
    void take_first();

    std::size_t memory_bytes() const;

private:
    struct Segment {
        std::uint64_t offset = 0;  // Of what is to be read.
        std::uint64_t left = 0;
        std::vector<Due> page;  // Read and not taken; the next one last.
    };

    void offer(std::size_t segment);

    RunFile& file_;
    std::vector<Segment> segments_;
    using Head = std::pair<Due, std::size_t>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
};

}  // namespace weft::frontier
