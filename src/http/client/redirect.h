#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "http/message/message.h"
#include "web/url/url.h"

// What a redirect means, by the Fetch standard ("HTTP-redirect fetch"). No I/O.
namespace weft::http {

// Why a redirect must not be followed.
enum class [[nodiscard]] RedirectError {
    several_locations,  // Several Location fields that differ (H33).
    bad_location,
    scheme,  // Neither http nor https (H34).
    blocked_port,
};
std::string_view describe(RedirectError error);

// The target of a redirect: its Location, resolved against `from`. If it has no fragment, it gets
// that of `from`. A user or password in it is dropped. Nothing if the response is not a redirect or
// has no Location.
std::expected<std::optional<web::Url>, RedirectError> redirect_target(const web::Url& from,
                                                                      const Response& response);

// Changes `request` into the one that follows a redirect with this status:
// - 303 turns every method except HEAD into GET; 301 and 302 turn POST into GET. The body is then
//   dropped, and so are the fields that describe it. 307 and 308 change nothing.
// - The request's own fields were meant for the first origin. To another origin only those go that
//   describe the body. With `fields_go_on` all go, except for Authorization, Cookie,
//   Proxy-Authorization and Host (H121).
void redirect_request(Request& request, int status, web::Url target, bool fields_go_on = false);

}  // namespace weft::http
