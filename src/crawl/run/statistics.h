#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/clock.h"
#include "crawl/scope/refusal.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

// The numbers of a crawl, or of one shard of it, counted as URLs end.
struct Statistics {
    std::uint64_t outcome_count = 0;  // URLs that have reached their terminal state.
    std::uint64_t fetched_count = 0;
    std::uint64_t redirect_count = 0;
    std::uint64_t denied_count = 0;
    std::uint64_t skipped_count = 0;
    std::uint64_t failed_count = 0;
    std::uint64_t duplicate_count = 0;
    std::uint64_t near_duplicate_count = 0;
    std::uint64_t retry_count = 0;
    std::uint64_t content_bytes = 0;
    std::map<int, std::uint64_t> by_status;
    static constexpr std::size_t kTypesMax = 1'000;  // Servers can invent any number of types.
    std::map<std::string, std::uint64_t> by_type;
    std::map<std::string, std::uint64_t> by_failure;
    std::map<Refusal, std::uint64_t> refused;         // Refused links, each time one was found.
    std::map<std::string, std::uint64_t> refused_by;  // Those refused by a user's pattern or rule.
    TimePoint started{};

    void note(const Outcome& outcome);
    void note(const Refused& refused);

    // Adds the numbers of another shard of the same crawl. `started` stays as it is.
    void add(const Statistics& other);
};

}  // namespace weft::crawl
