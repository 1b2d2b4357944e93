#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "crawl/run/config.h"
#include "crawl/scope/near_duplicates.h"
#include "crawl/scope/recent_set.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

// What the pages of a crawl had in them, to know it again. Bounded by the config: of too much the
// oldest is forgotten. For any thread.
class SeenContent {
public:
    explicit SeenContent(const Config& config) : digests_(config.digest_count_max) {}

    // Whether the same content was seen before. It has been from now on.
    bool is_duplicate(std::uint64_t digest);

    // The URL of an earlier page with almost the same text, by its fingerprint; else empty.
    std::string find_near(std::uint64_t fingerprint, std::string_view url);

    // What a page of an earlier run had in it.
    void remember(const Outcome& outcome);

private:
    std::mutex mutex_;
    RecentSet digests_;
    NearDuplicates near_;
};

}  // namespace weft::crawl
