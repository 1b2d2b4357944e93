#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "http/message/headers.h"

namespace weft::http {

// Why a request head must not be sent: the server could read it as something else (H35).
enum class [[nodiscard]] RequestError {
    bad_method,
    bad_target,
    bad_host,
    bad_field_name,
    bad_field_value,
    ambiguous_length,
};

std::string_view describe(RequestError error);

// A request head to write. The views and the headers must live during the call only.
struct RequestHead {
    std::string_view method = "GET";

    // As it goes on the wire: "/path?query", or an absolute URL for a proxy, or "host:port" for
    // CONNECT.
    std::string_view target;

    // Must contain exactly one Host.
    const Headers& headers;
};

// Appends the head in HTTP/1.1, from the request line to the empty line. On an error it appends
// nothing.
//
// Everything is checked, because links and cookies come from pages: the method and field names are
// tokens; the target and Host are visible ASCII, the target without `#`; values have no control
// bytes except tabs, and no space at either end; Content-Length and Transfer-Encoding exclude each
// other.
std::expected<void, RequestError> write_request_head(const RequestHead& head, std::string& out);

}  // namespace weft::http
