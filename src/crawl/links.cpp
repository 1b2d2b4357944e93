#include "crawl/links.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "web/page_query_encoder.h"

namespace weft::crawl {
namespace {

// Attributes that name something to fetch with GET. Others (form actions, pings, citations) do not.
bool is_followed(const web::HtmlLink& link) {
    constexpr std::string_view kIgnored[] = {"action",   "formaction", "ping",   "cite",
                                             "longdesc", "manifest",   "profile"};
    if (std::ranges::find(kIgnored, link.attribute) != std::end(kIgnored)) return false;
    if (link.element != "link") return true;
    constexpr std::string_view kHints[] = {"preconnect", "dns-prefetch", "pingback", "edituri"};
    return std::ranges::none_of(kHints, [&](std::string_view hint) {
        return link.rel.find(hint) != std::string_view::npos;
    });
}

bool forbids_following(const web::HtmlPage& page) {
    return std::ranges::any_of(page.robots, [](const web::HtmlRobots& robots) {
        return robots.nofollow && (robots.agent == "robots" || robots.agent == "weft");
    });
}

}  // namespace

std::vector<web::Url> links_of(const web::HtmlPage& page, const web::Url& page_url,
                               web::Encoding encoding) {
    std::vector<web::Url> urls;
    if (forbids_following(page)) return urls;
    const web::PageQueryEncoder query_encoder(encoding);
    web::UrlOptions options = web::kBoundedUrl;
    if (encoding != web::Encoding::utf_8) options.query_encoder = &query_encoder;
    web::Url base = page_url;
    if (page.base_href) {
        if (auto given = page_url.resolve(*page.base_href, web::kBoundedUrl)) base = *given;
    }
    std::unordered_set<std::string> seen;
    for (const web::HtmlLink& link : page.links) {
        if (!is_followed(link)) continue;
        const auto url = base.resolve(link.value, options);
        if (!url || !url->is_http()) continue;
        web::Url target = url->without_fragment();
        if (seen.insert(target.href()).second) urls.push_back(std::move(target));
    }
    return urls;
}

}  // namespace weft::crawl
