#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace weft::crawl {

// How a URL was come by.
enum class Via : std::uint8_t {
    seed,       // Typed.
    link,       // A link that a reader can follow.
    redirect,   // A Location.
    refresh,    // A meta refresh or its header: a redirect in all but name (H36).
    requisite,  // What a page needs to be shown.
    hint,       // canonical, hreflang, next and the like.
    sitemap,    // A sitemap file.
    guess,      // A sitemap where one usually lies; it need not be there.
    listed,     // A page that a sitemap or feed lists.
};
std::string_view name(Via via);

// Style sheets that import style sheets, and frames in frames, are followed as a browser does; but
// a browser has a reader who goes away. Five bits of a Trail.
inline constexpr std::uint32_t kRequisiteHopsMax = 31;

// What a URL carries on its way, besides its depth. The frontier keeps it as one number.
struct Trail {
    Via via = Via::link;
    std::uint8_t redirects_left = 0;
    std::uint8_t extra_hops = 0;      // Steps out of the scope so far.
    std::uint8_t requisite_hops = 0;  // Steps from the page that needs it, up to 31.
    std::uint8_t sitemap_level = 0;   // Indexes above a sitemap file.
    bool is_seed_way = false;         // A seed, or where redirects from one have led.
    bool is_nofollow = false;         // The link said rel=nofollow.
    bool is_listing = false;          // A seed that is a sitemap, by its name.

    std::uint32_t pack() const {
        return redirects_left | static_cast<std::uint32_t>(via) << 8 |
               (requisite_hops & 15u) << 12 | static_cast<std::uint32_t>(extra_hops) << 16 |
               std::min<std::uint32_t>(sitemap_level, 15) << 24 |
               static_cast<std::uint32_t>(is_seed_way) << 28 |
               static_cast<std::uint32_t>(is_nofollow) << 29 |
               static_cast<std::uint32_t>(is_listing) << 30 |
               static_cast<std::uint32_t>(requisite_hops >> 4 & 1) << 31;
    }

    static Trail unpack(std::uint32_t packed) {
        const std::uint32_t via = packed >> 8 & 15;  // It comes from a file.
        return {
            .via =
                via > static_cast<std::uint32_t>(Via::listed) ? Via::link : static_cast<Via>(via),
            .redirects_left = static_cast<std::uint8_t>(packed),
            .extra_hops = static_cast<std::uint8_t>(packed >> 16),
            .requisite_hops = static_cast<std::uint8_t>((packed >> 12 & 15) | (packed >> 31) << 4),
            .sitemap_level = static_cast<std::uint8_t>(packed >> 24 & 15),
            .is_seed_way = (packed >> 28 & 1) != 0,
            .is_nofollow = (packed >> 29 & 1) != 0,
            .is_listing = (packed >> 30 & 1) != 0};
    }

    bool is_sitemap() const { return is_listing || via == Via::sitemap || via == Via::guess; }

    friend bool operator==(const Trail&, const Trail&) = default;
};

// A URL's place in the crawl: what the scope judges by.
struct Step {
    std::uint32_t depth = 0;
    Trail trail;
};

}  // namespace weft::crawl
