#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "aio/task/co.h"
#include "base/random.h"
#include "frontier/shards/disk_frontier.h"

namespace weft::frontier {

// A small made web: pages of a few hosts, each with links that its address determines.
struct MadeWeb {
    std::uint64_t seed = 1;
    std::size_t host_count = 5;
    std::size_t page_count = 60;  // Of each host.
    std::size_t link_count = 6;   // Of each page.

    Candidate page(std::uint64_t host, std::uint64_t number) const;
    std::vector<Candidate> seeds() const;
    std::vector<Candidate> links(const std::string& url) const;

    // Whether the fetch fails and is tried again.
    bool fails(const Visit& visit) const;

    // Every page that can be reached.
    std::set<std::string> truth() const;
};

// A crawl of a generated web by a frontier on disk, with an archive and a page log of its own
// beside, which goes on where it was after each crash: what a crawler does, in small.
class MadeCrawl final : private CrawlFiles {
public:
    MadeCrawl(const MadeWeb& web, aio::FileSystem& files, std::uint64_t seed)
        : web_(web), files_(files), random_(seed) {}

    SyncMode sync_mode = SyncMode::interval;
    std::uint64_t memory_bytes = 256_MiB;
    bool keeps_acknowledged = false;  // Checked each time it goes on.
    std::filesystem::path folder = ".";
    Duration fetch_time_max = 20ms;
    Duration retry_time_max = 1s;
    Duration host_time_max = 50ms;

    // Opens the frontier, mends the files as it says, and crawls to the end. Throws StoreError or
    // IoError when the disk fails.
    aio::Co<> run();

    // URLs whose completion was acknowledged, of all runs.
    const std::set<std::string>& acknowledged() const { return acknowledged_; }

    // What the frontier holds for committed: how often each URL ended.
    const std::map<std::string, int>& ended() const { return ended_; }

    const Counts& counts() const { return counts_; }

    // Empty if all is as it must be at the end.
    std::string complaint();

private:
    void add_outcome(std::string_view outcome) override;
    aio::Co<> sync() override;
    std::string save() override;
    bool holds(std::string_view file, std::uint64_t size) override;
    bool holds_side(std::string_view file, std::uint64_t size) override {
        return holds(file, size);
    }
    DiskOptions options();
    void mend(const Recovered& recovered);
    aio::Co<> visit(Frontier& frontier, Visit visit);
    void check_counts(const Frontier& frontier);
    Duration up_to(Duration max);

    const MadeWeb& web_;
    aio::FileSystem& files_;
    Random random_;
    std::unique_ptr<aio::File> archive_;
    std::unique_ptr<aio::File> page_log_;
    std::shared_ptr<aio::File> side_;
    std::map<std::string, int> ended_;
    bool is_mended_ = false;
    std::string recovered_lines_;  // Of the page log; committed since the last checkpoint.
    std::set<std::string> acknowledged_;
    Counts counts_;
};

}  // namespace weft::frontier
