#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "http/message/headers.h"

namespace weft::http {

// What must not go out in a request head: a byte of it would change what the server reads (H35).
enum class [[nodiscard]] RequestError {
    bad_method,
    bad_target,
    bad_host,
    bad_field_name,
    bad_field_value,
    ambiguous_length,
};

std::string_view describe(RequestError error);

struct RequestHead {
    std::string_view method = "GET";

    // As it goes on the wire: "/path?query", or an absolute URL for a proxy, or "host:port" for
    // CONNECT.
    std::string_view target;

    // With exactly one Host.
    const Headers& headers;
};

// Appends the head, from the request line to the empty line, in HTTP/1.1; on an error nothing.
//
// It trusts nobody, for links and cookies come from pages: the method and field names are tokens;
// the target and Host are visible ASCII, the target without `#`; values have no control bytes but
// tabs, and no space at their ends; Content-Length and Transfer-Encoding do not meet.
std::expected<void, RequestError> write_request_head(const RequestHead& head, std::string& out);

}  // namespace weft::http
