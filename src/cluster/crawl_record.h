#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/task/co.h"
#include "cluster/shard.h"
#include "redis/cluster.h"

namespace weft::cluster {

// The version of everything that workers of one crawl must agree on: keys, functions, entries.
inline constexpr std::uint64_t kFormat = 1;

// What Redis keeps about a crawl under `weft:crawl:<name>`. It never changes, so all workers have
// the same.
struct CrawlRecord {
    std::uint64_t format = kFormat;
    std::string crawl;        // The beginning of its keys: "w1".
    std::uint64_t seed = 0;   // Of shards and fingerprints.
    std::string suffix_list;  // The digest of the public suffix list: it decides the shards.
    std::string begun;        // The date, as text.
    std::string settings;     // The options of the crawl, as a worker's folder keeps them.

    std::string to_text() const;
    static std::optional<CrawlRecord> parse(std::string_view text);  // Nothing: it is no record.

    friend bool operator==(const CrawlRecord&, const CrawlRecord&) = default;
};

// All that follows throws as redis::Cluster does, and CallError if the server refuses.

// Writes a record and gives the crawl its keys. Nothing: a crawl of this name is there already.
aio::Co<std::optional<CrawlRecord>> create_crawl(redis::Cluster& cluster, std::string name,
                                                 CrawlRecord record);

// Nothing: there is no such crawl. Throws CallError if it is not one that this version knows.
aio::Co<std::optional<CrawlRecord>> find_crawl(redis::Cluster& cluster, std::string name);

// Whether a crawl goes on.
enum class CrawlState { running, stopped, over };
aio::Co<CrawlState> state_of(redis::Cluster& cluster, CrawlKeys keys);
aio::Co<> set_state(redis::Cluster& cluster, CrawlKeys keys, CrawlState state);

// One plain command for the node that has the key.
aio::Co<redis::Reply> ask(redis::Cluster& cluster, std::string key, redis::Command command,
                          bool is_write = false);

}  // namespace weft::cluster
