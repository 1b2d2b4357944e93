#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "http/message/message.h"
#include "web/url/url.h"

// What a redirect means, as the Fetch standard has it. Pure: no request is made here.
namespace weft::http {

enum class [[nodiscard]] RedirectError {
    several_locations,  // That differ (H33).
    bad_location,
    scheme,  // Neither http nor https (H34).
    blocked_port,
};
std::string_view describe(RedirectError error);

// Where an answer leads: its Location, resolved; the fragment is that of `from` if it has none, and
// a user or password in it is dropped. Nothing when it is no redirect or says no place.
std::expected<std::optional<web::Url>, RedirectError> redirect_target(const web::Url& from,
                                                                      const Response& response);

// Makes of `request` the one that follows a redirect of this status:
// - 303 makes a GET of everything but HEAD, 301 and 302 of a POST; then the body is dropped, and
//   with it the fields that speak of it. 307 and 308 change nothing.
// - Into another origin go none of the request's own fields, but those that speak of its body: they
//   were meant for the origin that was asked. `fields_go_on`: all do, but for Authorization,
//   Cookie, Proxy-Authorization and Host (H121).
void redirect_request(Request& request, int status, web::Url target, bool fields_go_on = false);

}  // namespace weft::http
