#pragma once

#include <algorithm>
#include <cstdint>

#include "crawl/visit/outcome.h"

namespace weft::crawl {

// Style sheets that import style sheets, and frames in frames, are followed as in a browser. A
// crawl needs a limit because no reader ends it by leaving the page. Five bits of a Trail.
inline constexpr std::uint32_t kRequisiteHopsMax = 31;

// What the crawl knows about the way to a URL. The scope judges a URL by itself and its trail. All
// but the depth travels through the frontier as one number (Candidate::trail), so that the frontier
// knows nothing of its rules.
struct Trail {
    std::uint32_t depth = 0;  // Links from a seed.
    Via via = Via::link;
    std::uint8_t redirects_left = 0;
    std::uint8_t extra_hops = 0;      // Links out of the scope so far.
    std::uint8_t requisite_hops = 0;  // Steps from the page that needs it, up to 31.
    std::uint8_t sitemap_level = 0;   // Sitemap indexes above this file, up to 15.
    bool is_seed_way = false;         // A seed, or the target of a seed's redirects.
    bool is_nofollow = false;         // The link said rel=nofollow.
    bool is_listing = false;          // A seed that is a sitemap, judged by its name.

    // The bits, from the lowest: 8 redirects_left, 4 via, 4 requisite_hops (low bits), 8
    // extra_hops, 4 sitemap_level, is_seed_way, is_nofollow, is_listing, requisite_hops (high bit).
    // This is stored on disk: it must not change.
    std::uint32_t pack() const {
        return redirects_left | static_cast<std::uint32_t>(via) << 8 |
               (requisite_hops & 15u) << 12 | static_cast<std::uint32_t>(extra_hops) << 16 |
               std::min<std::uint32_t>(sitemap_level, 15) << 24 |
               static_cast<std::uint32_t>(is_seed_way) << 28 |
               static_cast<std::uint32_t>(is_nofollow) << 29 |
               static_cast<std::uint32_t>(is_listing) << 30 |
               static_cast<std::uint32_t>(requisite_hops >> 4 & 1) << 31;
    }

    static Trail unpack(std::uint32_t packed, std::uint32_t depth = 0) {
        const std::uint32_t via = packed >> 8 & 15;  // Read from a file: it may be out of range.
        return {
            .depth = depth,
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

}  // namespace weft::crawl
