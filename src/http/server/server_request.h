#pragma once

#include <string>
#include <string_view>

#include "aio/net/endpoint.h"
#include "http/message/headers.h"

namespace weft::http {

// A request as the server read it. Owned by the session; valid until the handler has ended.
struct ServerRequest {
    std::string method;
    std::string target;  // As on the request line: "/path?query", or "http://host/path?query".
    int minor_version = 1;
    Headers headers;
    std::string body;
    aio::Endpoint peer;
    aio::Endpoint local;

    // The parts of the target, still percent-encoded; views into it. An empty path is "/".
    std::string_view path() const;
    std::string_view query() const;  // Without its question mark.

    // The host that the client asks for, with the port if it sent one: that of an absolute target,
    // else that of Host (RFC 9112, 3.2.2). Empty if there is neither.
    std::string_view host() const;
};

}  // namespace weft::http
