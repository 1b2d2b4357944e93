#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.h"
#include "crawl/run/config.h"

namespace weft::crawl {

// How the memory of a crawl (--memory) is divided: the one place that knows.
//
//     1/4   the frontier: what was seen, the queues of hosts
//     1/2   answers on their way: bytes, links, texts, until they are committed
//     1/16  robots.txt files on their way
//     1/16  robots.txt rules that are kept
//     1/16  payloads in the archive, to write each once
//     1/32  contents seen, to find copies
//     1/32  hosts: breakers, budgets
//
// What the process needs at rest (some 25 MiB), stacks, the buffers of 256 connections and what the
// allocator cannot give back come on top, and are within kOverheadBytes: a process never holds more
// than --memory and that.
//
// A check of links has no frontier on disk: half is for what is known of links, a quarter for
// answers.
struct MemoryPlan {
    static constexpr std::uint64_t kOverheadBytes = 64_MiB;

    static MemoryPlan of_crawl(std::uint64_t memory_bytes);
    static MemoryPlan of_check(std::uint64_t memory_bytes);

    // What so many fetches at once need, however little each brings.
    static std::uint64_t least_bytes(std::size_t concurrency);

    std::uint64_t frontier_bytes = 0;
    std::uint64_t link_bytes = 0;  // Of a check.
    std::size_t answer_bytes = 0;
    std::size_t robots_cache_bytes = 0;
    std::size_t payload_count = 0;
    std::size_t digest_count = 0;
    std::size_t host_count = 0;
    std::uint64_t watched_bytes = 0;  // Above this no fetch begins (MemoryWatch).

    void apply(Config& config) const;
};

}  // namespace weft::crawl
