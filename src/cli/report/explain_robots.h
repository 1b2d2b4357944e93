#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/index/outcome.h"
#include "crawl/run/config.h"
#include "frontier/store/store_snapshot.h"
#include "web/url/url.h"

namespace weft::cli {

// What a crawl knows about the robots.txt that applies to a URL, and what the file says about the
// URL.
struct RobotsVerdict {
    bool denies = false;
    bool is_open = false;  // Not decided yet: robots.txt is read when the URL's turn comes.
    std::string why;       // For people. It may contain text of the file, so escape it.

    // The copy in the archive that was evaluated again; empty: there is no copy.
    std::string file;  // Its URL, after redirects.
    int status = 0;
    WallTime fetched;
    std::string agent;  // The user agent of the group: "weft", `*`; empty: no group applies.
    std::string rule;   // "Disallow: /private"; empty: no rule matches.
    std::uint32_t line = 0;
};

// For a URL that has ended with `page`, or waits as `state` says. Nothing if the crawl ignores
// robots.txt. Throws IoError.
std::optional<RobotsVerdict> judge_by_robots(const crawl::Config& config, const web::Url& url,
                                             const archive::Outcome* page,
                                             const frontier::StoreSnapshot& state);

}  // namespace weft::cli
