#pragma once

#include <string>
#include <vector>

#include "crawl/crawler.h"
#include "crawl/outcome.h"

namespace weft::cli {

// What a crawl leaves for its owner to read.
struct Report {
    const crawl::Statistics& statistics;
    const crawl::LinkMap& links;
    const std::vector<crawl::Outcome>& broken;  // Statuses from 400 up, and failures.
    frontier::Counts counts;
    Duration elapsed{};
    std::string output;  // Where the crawl is kept; empty if nowhere.
};

// As text, for a terminal or a file.
std::string to_text(const Report& report);

}  // namespace weft::cli
