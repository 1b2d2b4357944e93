#pragma once

#include <string>

#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "base/error.h"
#include "http/connect/proxy.h"

namespace weft::http {

// The proxy refused. what() says why and calls the proxy "it": "it closed the connection".
class ProxyRefusal : public Error {
public:
    explicit ProxyRefusal(const std::string& what, bool wants_credentials = false)
        : Error(what), wants_credentials_(wants_credentials) {}

    // The proxy asked for credentials, or rejected ours.
    bool wants_credentials() const { return wants_credentials_; }

private:
    bool wants_credentials_;
};

// Asks the HTTP proxy at the other end of `stream` for a tunnel to `authority` ("example.com:443")
// with CONNECT (RFC 9110, 9.3.6). After that the stream leads to `authority`. Throws ProxyRefusal,
// IoError; after a throw or a cancellation the stream is of no use. The proxy's credentials go to
// the proxy only. `stream` and `proxy` must outlive the call.
aio::Co<> tunnel(aio::Stream& stream, const Proxy& proxy, std::string authority,
                 std::string user_agent);

}  // namespace weft::http
