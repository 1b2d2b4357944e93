#include "crawl/run/memory_plan.h"

#include <algorithm>

namespace weft::crawl {
namespace {

// Between two measurements of the process, the fetches under way may take this much more.
constexpr std::uint64_t kSlackBytes = 24_MiB;

constexpr std::uint64_t kBytesPerPayload = 500;  // Its digest, and the URL and id of its record.
constexpr std::uint64_t kBytesPerDigest = 32;    // In a table that is at most half full, twice.
constexpr std::uint64_t kBytesPerHost = 1'024;   // Its name, its account, its lines.
constexpr std::uint64_t kBytesPerFetch = 128_KiB;

MemoryPlan common(std::uint64_t memory_bytes) {
    MemoryPlan plan;
    plan.robots_cache_bytes = memory_bytes / 16;
    plan.payload_count = std::min<std::uint64_t>(100'000, memory_bytes / 16 / kBytesPerPayload);
    plan.digest_count = std::min<std::uint64_t>(1'000'000, memory_bytes / 32 / kBytesPerDigest);
    plan.host_count = std::min<std::uint64_t>(50'000, memory_bytes / 32 / kBytesPerHost);
    plan.watched_bytes = memory_bytes + MemoryPlan::kOverheadBytes - kSlackBytes;
    return plan;
}

}  // namespace

MemoryPlan MemoryPlan::of_crawl(std::uint64_t memory_bytes) {
    MemoryPlan plan = common(memory_bytes);
    plan.frontier_bytes = memory_bytes / 4;
    plan.answer_bytes = memory_bytes / 2;
    return plan;
}

MemoryPlan MemoryPlan::of_check(std::uint64_t memory_bytes) {
    MemoryPlan plan = common(memory_bytes);
    plan.link_bytes = memory_bytes / 2;
    plan.answer_bytes = memory_bytes / 4;
    return plan;
}

std::uint64_t MemoryPlan::least_bytes(std::size_t concurrency) {
    return 32_MiB + concurrency * kBytesPerFetch;
}

// The frontier, the link table and the WARC writer are no part of Config: their share is for the
// caller to pass on.
void MemoryPlan::apply(Config& config) const {
    config.body_bytes_held_max = answer_bytes;
    config.robots_cache_bytes_max = robots_cache_bytes;
    config.digest_count_max = digest_count;
    config.host_count_max = host_count;
}

}  // namespace weft::crawl
