#include "http/access/open_field.h"

#include <algorithm>

#include "base/bytes.h"

namespace weft::http {

namespace {

// The fields that we send ourselves, and those that only ask for a form of the content.
constexpr std::string_view kOpenFields[] = {
    "Host",
    "User-Agent",
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Cache-Control",
    "Connection",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Type",
    "DNT",
    "Expect",
    "From",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Pragma",
    "Priority",
    "Range",
    "Sec-GPC",
    "TE",
    "Transfer-Encoding",
    "Upgrade-Insecure-Requests",
};

}  // namespace

bool is_open_field(std::string_view name) {
    return std::ranges::any_of(
        kOpenFields, [&](std::string_view open) { return equals_ignore_case(name, open); });
}

}  // namespace weft::http
