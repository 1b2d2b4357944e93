#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::cluster {

// The sums over all shards of a crawl.
struct Totals {
    std::uint64_t seen = 0;
    std::uint64_t done = 0;
    std::uint64_t over_budget = 0;
    std::uint64_t bytes = 0;

    std::uint64_t waiting() const { return seen - (done < seen ? done : seen); }
    friend bool operator==(const Totals&, const Totals&) = default;
};

// What a worker says about itself each second (`beat`), for the others and for people.
struct WorkerReport {
    std::uint64_t pages = 0;  // Since the worker's folder was made.
    std::uint64_t bytes = 0;
    std::uint64_t active = 0;  // Visits under way.
    std::uint64_t shards = 0;
    std::uint64_t run_ms = 0;        // Since this run began,
    std::uint64_t run_pages = 0;     // and the pages of this run.
    std::uint64_t recent_pages = 0;  // Of the last ten seconds.
    std::string machine;
    std::string folder;
    std::string trouble;           // Empty: all is well.
    std::optional<Totals> totals;  // Only of the worker that counts.

    // Lines of a name and a value. What another version wrote is passed over.
    std::string to_text() const;
    static WorkerReport parse(std::string_view text);
};

}  // namespace weft::cluster
