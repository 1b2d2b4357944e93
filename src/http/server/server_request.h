#pragma once

#include <string>
#include <string_view>

#include "aio/net/endpoint.h"
#include "http/message/headers.h"

namespace weft::http {

// A request as the server read it.
struct ServerRequest {
    std::string method;
    std::string target;  // As on the request line: "/path?query", or "http://host/path?query".
    int minor_version = 1;
    Headers headers;
    std::string body;
    aio::Endpoint peer;
    aio::Endpoint local;

    // Of the target, still percent-encoded; views into it. An empty path is "/".
    std::string_view path() const;
    std::string_view query() const;  // Without its question mark.

    // Whom the client thinks it asks, with the port if it gave one: of an absolute target, else of
    // Host (RFC 9112, 3.2.2). Empty if it did not say.
    std::string_view host() const;
};

}  // namespace weft::http
