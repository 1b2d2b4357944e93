#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "extract/fields/tdm_rules.h"
#include "web/robots/robots.h"

namespace weft::crawl {

// What the files of a site say about the use of its pages.
struct SiteTerms {
    std::vector<web::UsagePreference> robots;  // Of its robots.txt, for the crawl's agent.
    extract::TdmRules tdm;                     // Of its /.well-known/tdmrep.json.

    bool says_nothing() const { return robots.empty() && tdm.size() == 0; }
    std::size_t memory_bytes() const;
};

// The terms of the sites in an archive. A site is known once its files were read; archives have
// them before the pages, as they are fetched first. Sites that reserve nothing take no room.
class SiteTermsBook {
public:
    static constexpr std::size_t kSiteCountMax = 20'000;  // Then the oldest are forgotten.
    static constexpr std::size_t kFileBytesMax = std::size_t{512} << 10;

    // `agent` is how robots.txt calls this program.
    explicit SiteTermsBook(std::string agent = "weft") : agent_(std::move(agent)) {}

    // Whether the URL is that of such a file.
    static bool is_terms_url(std::string_view url);

    // Notes the content of such a file. A new one replaces an older one of the same site.
    void note(const std::string& url, std::string_view content);

    // Of the site of a page; null if it has none.
    std::shared_ptr<const SiteTerms> find(const std::string& url) const;

    std::size_t size() const { return sites_.size(); }

private:
    using Sites = std::unordered_map<std::string, std::shared_ptr<const SiteTerms>, SecretHash,
                                     std::equal_to<>>;
    std::string agent_;
    Sites sites_;                    // By origin.
    std::deque<std::string> order_;  // The oldest first.
};

}  // namespace weft::crawl
