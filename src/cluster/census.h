#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/task/co.h"
#include "cluster/sender.h"
#include "cluster/shard.h"
#include "cluster/worker/worker_report.h"

namespace weft::cluster {

// A call that reads fields of a shard's `m`.
redis::Call read_fields(std::string_view key, const std::vector<std::string>& fields);

// Counts the URLs of all shards, and finds out that the crawl is over.
//
// The shards are not read at one moment. But their counts only grow, and links are pushed before
// their page is done. So if two scans give the same, all counts were the same at one moment between
// them; and if every URL seen was done then, no URL waits anywhere and none is lent.
class Census {
public:
    explicit Census(CrawlKeys keys) : keys_(std::move(keys)) {}

    // Scans all shards. Throws as Sender::post() does.
    aio::Co<Totals> scan(Sender& sender);

    // Whether the last two scans say that nothing is left to do.
    bool is_over() const { return is_over_; }

private:
    using Counts = std::array<std::pair<std::uint64_t, std::uint64_t>, kShardCount>;

    CrawlKeys keys_;
    std::optional<Counts> last_;
    bool is_over_ = false;
};

// The pages that Redis has counted for a worker, over all shards; nothing while the worker still
// owns a shard and `owner_matters`.
aio::Co<std::optional<std::uint64_t>> pages_of(Sender& sender, CrawlKeys keys, std::string worker,
                                               bool owner_matters);

}  // namespace weft::cluster
