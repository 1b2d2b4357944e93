#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crawl/run/config.h"
#include "crawl/scope/refusal.h"
#include "web/url/url.h"

// What the address of a page says of its being a trap (H68).
namespace weft::crawl {

// The rule of the config by which the URL alone looks like a trap. `year_max`: a date in a later
// year counts as made up; empty: no date does.
std::optional<Refusal> trap_of(const web::Url& url, const Config& config,
                               std::optional<std::int32_t> year_max);

// The year, if the text has a year followed by a month: "/2031/02/", "month=2031-02".
std::optional<std::int32_t> calendar_year(std::string_view path_and_query);

// Whether following the link probably changes something: logs out, deletes, unsubscribes. Judged by
// the words in the URL.
bool has_side_effect(const web::Url& url);

// The pattern of a URL: "/calendar/{n}-{n}.html?view". Numbers and generated parts of the path are
// replaced by their kind, and parameters lose their values.
std::string url_shape(const web::Url& url);

// The kind of trap that a cut-off pattern is: calendar, session_id or url_pattern.
Refusal trap_name(const web::Url& url, std::string_view shape);

}  // namespace weft::crawl
