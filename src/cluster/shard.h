#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::cluster {

// A crawl is divided into this many shards. Each lies in one slot of the cluster, 16 slots apart,
// so that the shards spread evenly over any number of masters.
inline constexpr std::uint16_t kShardCount = 1'024;

// The shard of a registrable domain. One domain is one shard, so its politeness, budgets and robots
// rules are in one process. `seed` is secret and differs between crawls, so a site cannot choose
// domains that fall into one shard (H74).
std::uint16_t shard_of(std::string_view domain, std::uint64_t seed);

// The tag that puts the keys of a shard into slot 16 * shard: the first number in base 36, lowest
// digit first, that does. REQUIRES: shard < kShardCount.
std::string_view tag_of(std::uint16_t shard);

// The names of a crawl's keys. `crawl` is "w1", "w2", ...: many crawls share a cluster.
class CrawlKeys {
public:
    explicit CrawlKeys(std::string crawl) : crawl_(std::move(crawl)) {}

    // The key `m` of a shard; frontier.lua makes the names of its other keys.
    std::string shard(std::uint16_t shard) const;

    std::string workers() const { return own('w'); }  // Who lives.
    std::string budget() const { return own('b'); }   // Who may begin how many pages.
    std::string state() const { return own('s'); }    // Whether it is stopped or over.
    std::string address(std::string_view ip) const;   // Who has hosts at an IP address.

private:
    std::string own(char name) const { return "{" + crawl_ + "}" + name; }

    std::string crawl_;
};

}  // namespace weft::cluster
