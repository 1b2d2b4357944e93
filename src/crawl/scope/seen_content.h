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

// Remembers the contents of a crawl's pages, to find duplicates and near duplicates. Bounded by the
// Config: the oldest are forgotten. Shared by all crawlers of a crawl (SharedState); may be used
// from any thread.
class SeenContent {
public:
    explicit SeenContent(const Config& config) : digests_(config.digest_count_max) {}

    // Whether the same content was seen before. Remembers it.
    bool is_duplicate(std::uint64_t digest);

    // The URL of an earlier page with almost the same text, or empty; then this page is remembered.
    std::string find_near(std::uint64_t fingerprint, std::string_view url);

    // Remembers the content of a page of an earlier run.
    void remember(const Outcome& outcome);

private:
    std::mutex mutex_;
    RecentSet digests_;
    NearDuplicates near_;
};

}  // namespace weft::crawl
