#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "demo/server/site.h"

namespace weft::demo {

// A reference found in an answer, resolved.
struct Found {
    std::string url;
    Reach reach;
};

// What an answer leads to, read from its bytes alone: HTML by gumbo, style sheets and sitemaps by
// a simple scan, redirects by their header.
std::vector<Found> read_references(std::string_view url, const Answer& answer);

// All URLs of a host that are found from its home page by references up to `reach`, and those that
// lead away from it.
struct Walk {
    std::set<std::string> urls;
    std::set<std::string> external;
};
Walk walk(const Site& site, std::string_view host, Reach reach);

}  // namespace weft::demo
