#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "web/url/url.h"

namespace weft::cli {

// The pages of a crawl that link to one URL, as far as the page log knows: only a crawl with
// --links lists links, and a page that was cut may have had more.
struct LinksTo {
    static constexpr std::size_t kPagesMax = 1'000;

    std::uint64_t page_count = 0;        // Pages that were read.
    std::uint64_t count = 0;             // Pages that list a link to the URL.
    std::vector<std::string> pages;      // The first of these, at most kPagesMax.
    std::uint64_t redirect_count = 0;    // URLs that redirect to it.
    std::vector<std::string> redirects;  // The first of these, at most kPagesMax.

    std::uint64_t unlisted_count = 0;              // Pages with links that the log does not list.
    std::map<std::string, std::uint64_t> refused;  // Their links that were not followed, by rule.
    std::uint64_t cut_count = 0;                   // Pages that were not read to their end.
    std::string cut_page;                          // The first of these.

    // Whether `count` is exact. If not, it is a lower bound.
    bool is_all() const { return unlisted_count == 0 && cut_count == 0; }
};

// Reads the whole page log, which takes some seconds for a million pages. Throws IoError.
LinksTo find_links_to(aio::FileSystem& files, const std::filesystem::path& folder,
                      const web::Url& url, bool keeps_session_ids);

}  // namespace weft::cli
