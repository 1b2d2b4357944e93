#include <algorithm>
#include <array>

#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

using NavEntry = std::pair<std::string_view, std::string_view>;

constexpr std::array<NavEntry, 9> kGazetteNav = {{{"/", "Front page"},
                                                  {"/looms/", "Looms"},
                                                  {"/fibres/", "Fibres"},
                                                  {"/dyes/", "Dyes"},
                                                  {"/patterns/", "Patterns"},
                                                  {"/history/", "History"},
                                                  {"/workshops/", "Workshops"},
                                                  {"/rooms/", "Rooms"},
                                                  {"/about.html", "About"}}};
constexpr std::array<NavEntry, 1> kHomeNav = {{{"/", "Home"}}};

// The order matters: the first part that serves a path wins.
constexpr auto kGazetteParts = std::to_array<SitePart>(
    {robots_txt, sitemaps, articles, about, spellings, base_href, not_links, media, crossroads,
     broken, downloads, copies, manners, slow_pages, calendar, hostile});
constexpr auto kPlainParts = std::to_array<SitePart>({robots_txt, plain_pages, not_links});
constexpr auto kSlowParts = std::to_array<SitePart>({robots_txt, slow_pages, media, not_links});
constexpr auto kLibraryParts =
    std::to_array<SitePart>({robots_txt, sitemaps, library, media, not_links});
constexpr auto kCrossroadsParts =
    std::to_array<SitePart>({robots_txt, crossroads, media, not_links});
constexpr auto kCalendarParts = std::to_array<SitePart>({robots_txt, calendar, media, not_links});
constexpr auto kBabelParts = std::to_array<SitePart>({robots_txt, babel, media, not_links});
constexpr auto kRoughParts = std::to_array<SitePart>({robots_txt, hostile, media, not_links});

constexpr std::array<std::string_view, 2> kGazetteDisallow = {"/private/", kEndlessPrefix};
constexpr std::array<std::string_view, 1> kGazetteAllow = {"/private/open/"};

constexpr std::array<SiteHost, 8> kHosts = {{
    {.name = "127.0.0.1",
     .title = "The Weft Gazette",
     .character = "articles, and a room for every oddity",
     .parts = kGazetteParts,
     .nav = kGazetteNav,
     .disallow = kGazetteDisallow,
     .allow = kGazetteAllow,
     .sitemap = "/sitemap.xml"},
    {.name = "127.0.0.2",
     .title = "The plain site",
     .character = "only plain links, no robots.txt",
     .parts = kPlainParts,
     .nav = kHomeNav,
     .robots_status = 404,
     .is_plain = true},
    {.name = "127.0.0.3",
     .title = "The slow site",
     .character = "late answers and a Crawl-delay",
     .parts = kSlowParts,
     .nav = kHomeNav,
     .crawl_delay_s = 1},
    {.name = "127.0.0.4",
     .title = "The library",
     .character = "pages that only its sitemaps know",
     .parts = kLibraryParts,
     .nav = kHomeNav,
     .sitemap = "/sitemap_index.xml"},
    {.name = "127.0.0.5",
     .title = "The crossroads",
     .character = "redirects of every kind",
     .parts = kCrossroadsParts,
     .nav = kHomeNav},
    {.name = "127.0.0.6",
     .title = "The calendar",
     .character = "a trap without end",
     .parts = kCalendarParts,
     .nav = kHomeNav},
    {.name = "127.0.0.7",
     .title = "Babel",
     .character = "character sets, content types and codings",
     .parts = kBabelParts,
     .nav = kHomeNav},
    {.name = "127.0.0.8",
     .title = "The rough house",
     .character = "answers that break crawlers",
     .parts = kRoughParts,
     .nav = kHomeNav},
}};

}  // namespace

std::span<const SiteHost> hosts() {
    return kHosts;
}

const SiteHost* find_host(std::string_view name) {
    const auto found = std::ranges::find(kHosts, name, &SiteHost::name);
    return found == kHosts.end() ? nullptr : found;
}

bool SiteHost::disallows(std::string_view path) const {
    // RFC 9309, section 2.2.2: the longest match wins, and of equal ones Allow.
    const auto longest = [path](std::span<const std::string_view> prefixes) {
        std::size_t length = 0;
        for (const std::string_view prefix : prefixes) {
            if (path.starts_with(prefix)) length = std::max(length, prefix.size());
        }
        return length;
    };
    return longest(disallow) > longest(allow);
}

}  // namespace weft::demo
