#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crawl/run/config.h"
#include "crawl/scope/refusal.h"
#include "web/url/url.h"

// What the address of a page says of its being a trap (H68).
namespace weft::crawl {

// The rule of the config that calls the URL a trap by its looks alone. `year_max`: a date in a
// later year is made up; nothing: none is.
std::optional<Refusal> trap_of(const web::Url& url, const Config& config,
                               std::optional<std::int32_t> year_max);

// A year and a month stand one after the other in it: "/2031/02/", "month=2031-02".
std::optional<std::int32_t> calendar_year(std::string_view path_and_query);

// A link that does something when it is followed: logs out, deletes, unsubscribes.
bool has_side_effect(const web::Url& url);

// The shape of an address: "/calendar/{n}-{n}.html?view". Numbers and generated parts of the path
// are replaced by their kind, parameters lose their values.
std::string url_shape(const web::Url& url);

// Which trap it is that has such URLs.
Refusal trap_name(const web::Url& url, std::string_view shape);

}  // namespace weft::crawl
