#pragma once

#include <filesystem>
#include <optional>

#include "aio/files/files.h"
#include "crawl/extract/site_terms.h"
#include "crawl/visit/outcome.h"
#include "web/robots/robots.h"
#include "web/url/url.h"

namespace weft::crawl {

// The robots.txt of an origin, read from the archive of a crawl.
struct KeptRobots {
    Outcome answer;     // The final response, after redirects.
    web::Robots rules;  // Empty if that response holds no rules.
};

// The robots.txt that the crawl in `folder` fetched last for the URL's origin. The crawl may still
// run. Empty if none is archived, or if its record is damaged. Blocks: reads the whole list of
// robots.txt files. Throws IoError.
std::optional<KeptRobots> find_kept_robots(aio::FileSystem& files,
                                           const std::filesystem::path& folder,
                                           const web::Url& url);

// Notes what the robots.txt and tdmrep.json files in the archive of the crawl in `folder` say about
// the use of pages; of each origin the last ones count. Damaged records are ignored. Blocks. Throws
// IoError.
void read_kept_terms(aio::FileSystem& files, const std::filesystem::path& folder,
                     SiteTermsBook& terms);

}  // namespace weft::crawl
