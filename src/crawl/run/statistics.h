#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/clock.h"
#include "crawl/scope/refusal.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

// The numbers of a crawl, counted as it goes.
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
    static constexpr std::size_t kTypesMax = 1'000;  // Servers name them as they like.
    std::map<std::string, std::uint64_t> by_type;
    std::map<std::string, std::uint64_t> by_failure;
    std::map<Refusal, std::uint64_t> refused;         // Links not wanted, each time one was found,
    std::map<std::string, std::uint64_t> refused_by;  // and by which pattern or rule of the user.
    TimePoint started{};

    void note(const Outcome& outcome);
    void note(const Refused& refused);

    // Those of another part of the same crawl.
    void add(const Statistics& other);
};

}  // namespace weft::crawl
