#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "web/fields/date.h"

namespace weft::web {

// What a page says of itself to robots, in its X-Robots-Tag header or a <meta name=robots>.
struct PageDirectives {
    bool noindex = false;
    bool nofollow = false;
    bool noarchive = false;  // Also spelled nocache.
    bool nosnippet = false;
    bool noimageindex = false;
    bool notranslate = false;
    bool noai = false;
    bool noimageai = false;

    // The page is to be forgotten after this.
    std::optional<DateSeconds> unavailable_after;

    // Adds the other's restrictions: a page may speak in several places, and the strictest word
    // holds.
    void add(const PageDirectives& other);

    friend bool operator==(const PageDirectives&, const PageDirectives&) = default;
};

// The content of a <meta>: "noindex, nofollow". Whether its name (robots, or our agent's) concerns
// us is the caller's question.
PageDirectives parse_meta_robots(std::string_view content);

// The X-Robots-Tag fields of a response, as they concern `agent`: what is said to all robots and
// what is said to it ("googlebot: noindex, nofollow").
PageDirectives parse_x_robots_tag(std::span<const std::string_view> fields, std::string_view agent);

}  // namespace weft::web
