#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/index/page_entry.h"
#include "crawl/run/config.h"
#include "frontier/store/glance.h"
#include "web/url/url.h"

namespace weft::cli {

// What a crawl knows of the robots.txt that a URL is subject to, and what that says of it.
struct RobotsVerdict {
    bool denies = false;
    bool is_open = false;  // It is asked when the URL's turn comes.
    std::string why;       // For people. It may hold anything: text of the file.

    // The copy in the archive that was asked again; empty: there is none.
    std::string file;  // Where its redirects end.
    int status = 0;
    WallTime fetched;
    std::string agent;  // Whose group it is: "weft", `*`; empty: there is no group for us.
    std::string rule;   // "Disallow: /private"; empty: none matches.
    std::uint32_t line = 0;
};

// Of a URL that has ended with `page`, or waits as `state` says. Nothing if the crawl does not obey
// robots.txt. Throws IoError.
std::optional<RobotsVerdict> judge_by_robots(const crawl::Config& config, const web::Url& url,
                                             const archive::PageEntry* page,
                                             const frontier::Glance& state);

}  // namespace weft::cli
