#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "frontier/store/host_run.h"

namespace weft::frontier {

// A merge of several host runs, neighbours in age, into one. It drops outdated states of hosts and
// chunks of entries that were all taken. It works in steps, and commits may run in between.
class HostMerge {
public:
    // REQUIRES: oldest run first.
    HostMerge(aio::FileSystem& files, const std::filesystem::path& path,
              std::vector<std::shared_ptr<HostRun>> runs);

    // Copies about `bytes`. Returns whether everything is written.
    bool step(std::size_t bytes);

    // REQUIRES: step() returned true.
    void finish() { writer_.finish(); }
    std::uint64_t entry_count() const { return writer_.entry_count(); }

private:
    struct Input {
        std::shared_ptr<HostRun> run;
        RunReader reader;
        std::vector<HostRun::ImagePlace> places = {};
        std::size_t next = 0;

        // Of the next host; null at the end of the run.
        const HostRun::ImagePlace* place();
    };

    // The chunks of one lane in one run.
    struct Piece {
        std::size_t lane;
        Input* input;
        std::uint64_t offset;
        std::uint64_t end;
    };

    bool start_host();
    std::size_t copy_chunk();

    std::vector<Input> inputs_;
    HostRunWriter writer_;
    std::optional<HostImage> image_;  // Of the host that is being copied.
    std::deque<Piece> pieces_;        // By lane; within a lane oldest first.
};

}  // namespace weft::frontier
