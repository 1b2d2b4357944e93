#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "web/fields/date.h"

namespace weft::web {

// What a page asks of robots, in its X-Robots-Tag field or a <meta name=robots>.
struct PageDirectives {
    bool noindex = false;
    bool nofollow = false;
    bool noarchive = false;  // Also spelled nocache.
    bool nosnippet = false;
    bool noimageindex = false;
    bool notranslate = false;
    bool noai = false;
    bool noimageai = false;

    // After this time the page should no longer be shown in search results.
    std::optional<DateSeconds> unavailable_after;

    // Adds the restrictions of `other`. A page may have directives in several places, and the
    // strictest one holds.
    void add(const PageDirectives& other);

    friend bool operator==(const PageDirectives&, const PageDirectives&) = default;
};

// Parses the X-Robots-Tag fields of a response. Only directives for all robots and for `agent` are
// used ("googlebot: noindex, nofollow" is for googlebot).
PageDirectives parse_x_robots_tag(std::span<const std::string_view> fields, std::string_view agent);

}  // namespace weft::web
