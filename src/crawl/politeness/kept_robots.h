#pragma once

#include <filesystem>
#include <optional>

#include "aio/files/files.h"
#include "archive/index/page_entry.h"
#include "web/robots/robots.h"
#include "web/url/url.h"

namespace weft::crawl {

// The robots.txt of an origin as the archive of a crawl holds it.
struct KeptRobots {
    archive::PageEntry answer;  // The last of its redirects.
    web::Robots rules;          // None if that is no good one.
};

// The one that was fetched last for the URL's origin, in the crawl at `folder`, which may still
// run; nothing if none is archived, or its record is damaged. Blocks: reads the list of all.
// Throws IoError.
std::optional<KeptRobots> find_kept_robots(aio::FileSystem& files,
                                           const std::filesystem::path& folder,
                                           const web::Url& url);

}  // namespace weft::crawl
