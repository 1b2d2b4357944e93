#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "web/url/url.h"

namespace weft::cli {

// Which pages of a crawl lead to one URL, and how far its page log can tell: links are listed only
// by a crawl with --links, and a page that was cut may have had more.
struct LinksTo {
    static constexpr std::size_t kPagesMax = 1'000;

    std::uint64_t page_count = 0;        // Answers that were read.
    std::uint64_t count = 0;             // Of them, those that list a link to the URL.
    std::vector<std::string> pages;      // The first of these, at most kPagesMax.
    std::uint64_t redirect_count = 0;    // URLs that redirect to it.
    std::vector<std::string> redirects;  // Likewise.

    std::uint64_t unlisted_count = 0;  // Pages with links that the log does not list.
    std::map<std::string, std::uint64_t>
        refused;                  // Links of those that were not followed, by rule.
    std::uint64_t cut_count = 0;  // Pages that were not read to their end.
    std::string cut_page;         // The first of them.

    // Whether `count` is all there is; else it is at least that.
    bool is_all() const { return unlisted_count == 0 && cut_count == 0; }
};

// Reads the whole page log: some seconds for a million pages. Throws IoError.
LinksTo find_links_to(aio::FileSystem& files, const std::filesystem::path& folder,
                      const web::Url& url, bool keeps_session_ids);

}  // namespace weft::cli
