#include "http/client/redirect.h"

#include <utility>

#include "base/bytes.h"
#include "http/connect/blocked_port.h"
#include "http/connect/origin.h"

namespace weft::http {

namespace {

// The Fetch standard's "request-body-header names", and the two that frame a body.
constexpr const char* kBodyFields[] = {"Content-Encoding", "Content-Language", "Content-Location",
                                       "Content-Type",     "Content-Length",   "Transfer-Encoding"};

}  // namespace

std::string_view describe(RedirectError error) {
    switch (error) {
        case RedirectError::several_locations: return "several places at once";
        case RedirectError::bad_location: return "not a URL";
        case RedirectError::scheme: return "only http and https are followed";
        case RedirectError::blocked_port: return "its port is not one of web servers";
    }
    std::unreachable();
}

std::expected<std::optional<web::Url>, RedirectError> redirect_target(const web::Url& from,
                                                                      const Response& response) {
    if (!response.is_redirect()) return std::nullopt;
    const std::optional<std::string_view> location = response.headers.get("Location");
    if (!location || trim(*location).empty()) return std::nullopt;
    if (response.headers.disagrees("Location")) {
        return std::unexpected(RedirectError::several_locations);
    }
    auto target = from.resolve(*location, web::kBoundedUrl);
    if (!target) return std::unexpected(RedirectError::bad_location);
    if (!target->is_http()) return std::unexpected(RedirectError::scheme);
    // A port that `from` already has was allowed before.
    const bool keeps_port = target->effective_port() == from.effective_port();
    if (!keeps_port && is_blocked_port(*target->effective_port())) {
        return std::unexpected(RedirectError::blocked_port);
    }
    // A page must not choose the login that we use.
    if (target->has_credentials()) {
        target->set_username("");
        target->set_password("");
    }
    // RFC 9110, 10.2.2: the fragment is inherited.
    if (!target->has_fragment() && from.has_fragment()) target->set_hash(from.hash());
    return *std::move(target);
}

void redirect_request(Request& request, int status, web::Url target, bool fields_go_on) {
    const bool becomes_get =
        (status == 303 && request.method != "GET" && request.method != "HEAD") ||
        ((status == 301 || status == 302) && request.method == "POST");
    if (becomes_get) {
        request.method = "GET";
        request.body.clear();
        request.body_source = {};
        for (const char* name : kBodyFields) request.headers.remove(name);
    }
    const bool leaves = !Origin::of(request.url).is_of(target);
    if (leaves && fields_go_on) {
        for (const char* name : {"Authorization", "Cookie", "Proxy-Authorization", "Host"}) {
            request.headers.remove(name);
        }
    } else if (leaves) {
        Headers left;
        for (const char* name : kBodyFields) {
            if (const auto value = request.headers.get(name)) left.add(name, *value);
        }
        request.headers = std::move(left);
    }
    request.url = std::move(target);
}

}  // namespace weft::http
