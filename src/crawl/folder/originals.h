#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "archive/index/crawl_snapshot.h"
#include "crawl/folder/earlier_crawl.h"

namespace weft::crawl {

struct OriginalsReport {
    std::uint64_t elsewhere_count = 0;  // Pages whose content is stored in an earlier crawl.
    std::uint64_t lost_count = 0;       // Pages whose content was not found.
    std::vector<std::string> losses;    // Messages about the first few of these.
};

// Finds the stored responses in earlier crawls that revisit records of this crawl stand for. Calls
// `take` once for each, with its WARC file and its offset there. Blocks; throws IoError.
OriginalsReport each_original(
    const archive::CrawlSnapshot& snapshot, const EarlierCrawl& crawl,
    const std::function<void(const std::filesystem::path& file, std::uint64_t offset)>& take);

}  // namespace weft::crawl
