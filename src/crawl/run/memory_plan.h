#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.h"
#include "crawl/run/config.h"

namespace weft::crawl {

// How the memory of a crawl (--memory) is divided. This is the only place that decides it.
//
//     1/4   the frontier: the seen set, the queues of hosts
//     1/2   responses being read: bytes, links, texts, until they are committed
//     1/16  robots.txt files being read
//     1/16  robots.txt rules in the cache
//     1/16  payloads in the archive, so that each is written once
//     1/32  contents seen, to find duplicates
//     1/32  hosts: breakers, budgets
//
// The idle process (some 25 MiB), the stacks, the buffers of 256 connections and what the allocator
// cannot return come on top. They fit into kOverheadBytes: a process never holds more than --memory
// plus that.
//
// A link check has no frontier on disk: it gives half to the table of links and a quarter to
// responses.
struct MemoryPlan {
    static constexpr std::uint64_t kOverheadBytes = 64_MiB;

    static MemoryPlan of_crawl(std::uint64_t memory_bytes);
    static MemoryPlan of_check(std::uint64_t memory_bytes);

    // The least --memory for this many fetches at once, however small their responses are.
    static std::uint64_t least_bytes(std::size_t concurrency);

    std::uint64_t frontier_bytes = 0;
    std::uint64_t link_bytes = 0;  // Of a link check.
    std::size_t answer_bytes = 0;
    std::size_t robots_cache_bytes = 0;
    std::size_t payload_count = 0;
    std::size_t digest_count = 0;
    std::size_t host_count = 0;
    std::uint64_t watched_bytes = 0;  // Above this no fetch begins (MemoryWatch).

    // Sets the limits of `config` that come from this plan; the rest of it stays as it is.
    void apply(Config& config) const;
};

}  // namespace weft::crawl
