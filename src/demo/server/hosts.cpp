#include <algorithm>
#include <array>

#include "demo/server/rooms.h"

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

// The order matters: the first room that serves a path wins.
constexpr auto kGazetteRooms = std::to_array<Room>(
    {robots_txt, sitemaps, articles, about, spellings, base_href, not_links, media, crossroads,
     broken, downloads, copies, manners, slow_pages, calendar, hostile});
constexpr auto kPlainRooms = std::to_array<Room>({robots_txt, plain_pages, not_links});
constexpr auto kSlowRooms = std::to_array<Room>({robots_txt, slow_pages, media, not_links});
constexpr auto kLibraryRooms =
    std::to_array<Room>({robots_txt, sitemaps, library, media, not_links});
constexpr auto kCrossroadsRooms = std::to_array<Room>({robots_txt, crossroads, media, not_links});
constexpr auto kCalendarRooms = std::to_array<Room>({robots_txt, calendar, media, not_links});
constexpr auto kBabelRooms = std::to_array<Room>({robots_txt, babel, media, not_links});
constexpr auto kRoughRooms = std::to_array<Room>({robots_txt, hostile, media, not_links});

constexpr std::array<std::string_view, 2> kGazetteDisallow = {"/private/", kEndlessPrefix};
constexpr std::array<std::string_view, 1> kGazetteAllow = {"/private/open/"};

constexpr std::array<Host, 8> kHosts = {{
    {.name = "127.0.0.1",
     .title = "The Weft Gazette",
     .character = "articles, and a room for every oddity",
     .rooms = kGazetteRooms,
     .nav = kGazetteNav,
     .disallow = kGazetteDisallow,
     .allow = kGazetteAllow,
     .sitemap = "/sitemap.xml"},
    {.name = "127.0.0.2",
     .title = "The plain site",
     .character = "only plain links, no robots.txt",
     .rooms = kPlainRooms,
     .nav = kHomeNav,
     .robots_status = 404,
     .is_plain = true},
    {.name = "127.0.0.3",
     .title = "The slow site",
     .character = "late answers and a Crawl-delay",
     .rooms = kSlowRooms,
     .nav = kHomeNav,
     .crawl_delay_s = 1},
    {.name = "127.0.0.4",
     .title = "The library",
     .character = "pages that only its sitemaps know",
     .rooms = kLibraryRooms,
     .nav = kHomeNav,
     .sitemap = "/sitemap_index.xml"},
    {.name = "127.0.0.5",
     .title = "The crossroads",
     .character = "redirects of every kind",
     .rooms = kCrossroadsRooms,
     .nav = kHomeNav},
    {.name = "127.0.0.6",
     .title = "The calendar",
     .character = "a trap without end",
     .rooms = kCalendarRooms,
     .nav = kHomeNav},
    {.name = "127.0.0.7",
     .title = "Babel",
     .character = "character sets, content types and codings",
     .rooms = kBabelRooms,
     .nav = kHomeNav},
    {.name = "127.0.0.8",
     .title = "The rough house",
     .character = "answers that break crawlers",
     .rooms = kRoughRooms,
     .nav = kHomeNav},
}};

}  // namespace

std::span<const Host> hosts() {
    return kHosts;
}

const Host* find_host(std::string_view name) {
    const auto found = std::ranges::find(kHosts, name, &Host::name);
    return found == kHosts.end() ? nullptr : found;
}

bool Host::disallows(std::string_view path) const {
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
