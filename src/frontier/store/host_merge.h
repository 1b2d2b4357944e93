#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "frontier/store/host_run.h"

namespace weft::frontier {

// Several host runs, neighbours in age, on their way into one.
class HostMerge {
public:
    // Oldest first.
    HostMerge(aio::FileSystem& files, const std::filesystem::path& path,
              std::vector<std::shared_ptr<HostRun>> runs);

    // Copies about `bytes`. Whether all is written.
    bool step(std::size_t bytes);

    // REQUIRES: step() was true.
    void finish() { writer_.finish(); }
    std::uint64_t entry_count() const { return writer_.entry_count(); }

private:
    struct Input {
        std::shared_ptr<HostRun> run;
        RunReader reader;
        std::vector<HostRun::Place> places = {};
        std::size_t next = 0;

        // Of the host to come.
        const HostRun::Place* place();
    };

    // Chunks of one lane in one run.
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
    std::optional<HostImage> image_;  // Of the host under way.
    std::deque<Piece> pieces_;        // By lane, in each the oldest first.
};

}  // namespace weft::frontier
