#include "cluster/shard.h"

#include <array>

#include <fmt/format.h>

#include "base/hash.h"
#include "redis/slots.h"

namespace weft::cluster {

namespace {

constexpr std::uint16_t kSlotsPerShard = redis::kSlotCount / kShardCount;

std::string base36(unsigned number) {
    std::string digits;
    do {
        digits += "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
        number /= 36;
    } while (number > 0);
    return digits;
}

using Tags = std::array<std::string, kShardCount>;

Tags make_tags() {
    Tags tags;
    std::size_t left = kShardCount;
    for (unsigned number = 0; left > 0; ++number) {
        std::string text = base36(number);
        const std::uint16_t slot = redis::slot_of(text);
        if (slot % kSlotsPerShard != 0) continue;
        std::string& tag = tags[slot / kSlotsPerShard];
        if (!tag.empty()) continue;
        tag = std::move(text);
        --left;
    }
    return tags;
}

}  // namespace

std::uint16_t shard_of(std::string_view domain, std::uint64_t seed) {
    return static_cast<std::uint16_t>(hash64(domain, seed) % kShardCount);
}

std::string_view tag_of(std::uint16_t shard) {
    static const Tags tags = make_tags();
    return tags[shard];
}

std::string CrawlKeys::shard(std::uint16_t shard) const {
    return fmt::format("{}{{{}}}m", crawl_, tag_of(shard));
}

std::string CrawlKeys::address(std::string_view ip) const {
    return fmt::format("{}i:{{{}}}", crawl_, ip);
}

}  // namespace weft::cluster
